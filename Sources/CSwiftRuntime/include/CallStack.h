#ifndef OPENCOREDATA_CALLSTACK_H
#define OPENCOREDATA_CALLSTACK_H

#include <stddef.h>

/// Writes where the calls that the current thread is in return to, innermost first, and returns how many there are.
int return_addresses(void **addresses, int capacity);

/// Returns the file of the program or library that an address lies in, and where in it; null for other addresses.
const char *image_of_address(const void *address, size_t *offset);

#endif
