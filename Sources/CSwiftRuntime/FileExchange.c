#define _GNU_SOURCE

#include "FileExchange.h"

#include <errno.h>
#include <stdio.h>

#if defined(__APPLE__)

int exchange_names(const char *first, const char *second) { return renamex_np(first, second, RENAME_SWAP); }

#elif defined(__GLIBC__) && defined(RENAME_EXCHANGE)

#include <fcntl.h>

int exchange_names(const char *first, const char *second) {
    return renameat2(AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

#elif defined(__linux__)

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

int exchange_names(const char *first, const char *second) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, second, RENAME_EXCHANGE);
}

#else

int exchange_names(const char *first, const char *second) {
    errno = ENOSYS;
    return -1;
}

#endif
