#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CallStack.h"

#include <dlfcn.h>
#include <execinfo.h>

int return_addresses(void **addresses, int capacity) { return backtrace(addresses, capacity); }

const char *image_of_address(const void *address, size_t *offset) {
    Dl_info information;
    if (!dladdr(address, &information)) return NULL;
    *offset = (size_t)((const char *)address - (const char *)information.dli_fbase);
    return information.dli_fname;
}
