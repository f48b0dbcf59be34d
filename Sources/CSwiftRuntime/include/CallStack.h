#ifndef OPENCOREDATA_CALLSTACK_H
#define OPENCOREDATA_CALLSTACK_H

#include <stddef.h>
#include <stdint.h>

/// Writes where the calls that the current thread is in return to, innermost first, and returns how many there are.
int return_addresses(void **addresses, int capacity);

/// Returns the file of the program or library that an address lies in, and where in it; null for other addresses.
const char *image_of_address(const void *address, size_t *offset);

/// The program or a library that is loaded. What it points to lives as long as the library stays loaded.
struct loaded_image {
    /// Empty for the program itself.
    const char *path;
    uintptr_t start;
    uintptr_t end_of_code;
    /// Null where the file has none.
    const uint8_t *build_id;
    size_t build_id_size;
};

/// Calls a function with the program and each library, while none of them can be unloaded.
void for_each_loaded_image(void (*body)(const struct loaded_image *image, void *context), void *context);

#endif
