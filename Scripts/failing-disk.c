/*
 * A disk that fails: preloaded into a process (LD_PRELOAD), it makes the n-th operation on files below a folder fail with
 * EIO, and can write down which operations there were.
 *
 *   FAILING_DISK_FOLDER   the folder; nothing else is touched
 *   FAILING_DISK_AT       which operation fails, counted from 1; 0 or unset for none
 *   FAILING_DISK_FOREVER  if set, all operations after it fail as well
 *   FAILING_DISK_LOG      a file that gets a line for each operation: its name and the path. Before a `rename` comes a line
 *                         `from-MODE`, with the mode, in octal digits, of what gets another name; `unlink` and `make-MODE`, a file
 *                         or folder that is made, and the mode that is asked for, are written down as well. These three aren't
 *                         counted, and never fail
 *
 * Build: cc -shared -fPIC -o failing-disk.so failing-disk.c -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static long operations;

static void note(const char *name, const char *path)
{
    static int file = -2;
    if (file == -2) {
        const char *log = getenv("FAILING_DISK_LOG");
        file = log ? (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    if (file < 0)
        return;
    char line[PATH_MAX + 64];
    int length = snprintf(line, sizeof line, "%s %s\n", name, path);
    if (length > 0)
        syscall(SYS_write, file, line, (size_t)length);
}

static void note_mode(const char *name, mode_t mode, const char *path)
{
    char whole[32];
    snprintf(whole, sizeof whole, "%s-%o", name, (unsigned)mode);
    note(whole, path);
}

static int is_inside(const char *path)
{
    const char *folder = getenv("FAILING_DISK_FOLDER");
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

/* Whether the operation is to fail. */
static int fails(const char *name, const char *path)
{
    if (!is_inside(path))
        return 0;
    note(name, path);
    const char *at = getenv("FAILING_DISK_AT");
    long wanted = at ? atol(at) : 0;
    long number = __atomic_add_fetch(&operations, 1, __ATOMIC_SEQ_CST);
    if (wanted == 0 || number < wanted || (number > wanted && !getenv("FAILING_DISK_FOREVER")))
        return 0;
    errno = EIO;
    return 1;
}

static int fails_at(const char *name, int descriptor)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return fails(name, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    return fails_at("write", descriptor) ? -1 : NEXT(write)(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return fails_at("pwrite", descriptor) ? -1 : NEXT(pwrite)(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    return fails_at("pwrite", descriptor) ? -1 : NEXT(pwrite64)(descriptor, bytes, count, offset);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count)
{
    return fails_at("write", descriptor) ? -1 : NEXT(writev)(descriptor, parts, count);
}

int fsync(int descriptor) { return fails_at("fsync", descriptor) ? -1 : NEXT(fsync)(descriptor); }

int fdatasync(int descriptor) { return fails_at("fsync", descriptor) ? -1 : NEXT(fdatasync)(descriptor); }

int ftruncate(int descriptor, off_t length)
{
    return fails_at("ftruncate", descriptor) ? -1 : NEXT(ftruncate)(descriptor, length);
}

int ftruncate64(int descriptor, off64_t length)
{
    return fails_at("ftruncate", descriptor) ? -1 : NEXT(ftruncate64)(descriptor, length);
}

static int rename_fails(const char *from, const char *to)
{
    struct stat status;
    if (is_inside(to) && stat(from, &status) == 0)
        note_mode("from", status.st_mode & 0777, from);
    return fails("rename", to);
}

int rename(const char *from, const char *to)
{
    return rename_fails(from, to) ? -1 : NEXT(rename)(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return rename_fails(from, to) ? -1 : NEXT(renameat)(from_folder, from, to_folder, to);
}

/* Also the exchange of two names. */
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    return rename_fails(from, to) ? -1 : NEXT(renameat2)(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to)
{
    return fails("link", to) ? -1 : NEXT(link)(from, to);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length)
{
    return fails_at("fallocate", descriptor) ? -1 : NEXT(fallocate)(descriptor, mode, offset, length);
}

int posix_fallocate(int descriptor, off_t offset, off_t length)
{
    return fails_at("fallocate", descriptor) ? EIO : NEXT(posix_fallocate)(descriptor, offset, length);
}

ssize_t copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset, size_t count, unsigned flags)
{
    return fails_at("write", to) ? -1 : NEXT(copy_file_range)(from, from_offset, to, to_offset, count, flags);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t count)
{
    return fails_at("write", to) ? -1 : NEXT(sendfile)(to, from, offset, count);
}

int unlink(const char *path)
{
    /* Counted nowhere and never failing: a name that stays is only wasted space. But written down, for its place. */
    if (is_inside(path))
        note("unlink", path);
    return NEXT(unlink)(path);
}

/* Writes down a file that the call makes; with a path below an open folder where that is given. */
static mode_t made(int folder, const char *path, int flags, mode_t mode)
{
    char whole[PATH_MAX * 2];
    if (!(flags & O_CREAT) && (flags & O_TMPFILE) != O_TMPFILE)
        return mode;
    if (folder != AT_FDCWD && path[0] != '/') {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, whole, PATH_MAX);
        if (length <= 0)
            return mode;
        snprintf(whole + length, PATH_MAX, "/%s", path);
        path = whole;
    }
    if (is_inside(path) && ((flags & O_TMPFILE) == O_TMPFILE || access(path, F_OK) != 0))
        note_mode("make", mode, path);
    return mode;
}

static mode_t mode_of(int flags, va_list arguments)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(arguments, int) : 0;
}

#define OPEN(name)                                                                  \
    int name(const char *path, int flags, ...)                                      \
    {                                                                               \
        va_list arguments;                                                          \
        va_start(arguments, flags);                                                 \
        mode_t mode = made(AT_FDCWD, path, flags, mode_of(flags, arguments));       \
        va_end(arguments);                                                          \
        return NEXT(name)(path, flags, mode);                                       \
    }

#define OPEN_AT(name)                                                               \
    int name(int folder, const char *path, int flags, ...)                          \
    {                                                                               \
        va_list arguments;                                                          \
        va_start(arguments, flags);                                                 \
        mode_t mode = made(folder, path, flags, mode_of(flags, arguments));         \
        va_end(arguments);                                                          \
        return NEXT(name)(folder, path, flags, mode);                               \
    }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)

int creat(const char *path, mode_t mode)
{
    return NEXT(creat)(path, made(AT_FDCWD, path, O_CREAT, mode));
}

int mkdir(const char *path, mode_t mode)
{
    return NEXT(mkdir)(path, made(AT_FDCWD, path, O_CREAT, mode));
}
