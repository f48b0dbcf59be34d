#ifndef OPENCOREDATA_CBYTESEARCH_H
#define OPENCOREDATA_CBYTESEARCH_H

#include <stddef.h>

/// Where the first occurrence of bytes begins, or null: the C library's `memmem`, which its headers show to GNU sources only.
const void *_Nullable find_bytes(
    const void *_Nonnull bytes, size_t count, const void *_Nonnull wanted, size_t wantedCount);

#endif
