#ifndef OPENCOREDATA_FILEEXCHANGE_H
#define OPENCOREDATA_FILEEXCHANGE_H

/// Exchanges the names of two files or folders in one step. Returns 0, or -1 with `errno` set: `ENOSYS`, `EINVAL` or `ENOTSUP` where
/// the kernel or the file system has no such operation.
int exchange_names(const char *first, const char *second);

#endif
