#define _GNU_SOURCE

#include "CByteSearch.h"

#include <string.h>

const void *find_bytes(const void *bytes, size_t count, const void *wanted, size_t wantedCount) {
    return memmem(bytes, count, wanted, wantedCount);
}
