#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CallStack.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <link.h>
#include <string.h>

int return_addresses(void **addresses, int capacity) { return backtrace(addresses, capacity); }

const char *image_of_address(const void *address, size_t *offset) {
    Dl_info information;
    if (!dladdr(address, &information)) return NULL;
    *offset = (size_t)((const char *)address - (const char *)information.dli_fbase);
    return information.dli_fname;
}

struct visitor {
    void (*body)(const struct loaded_image *image, void *context);
    void *context;
};

// A segment of notes is a sequence of: three sizes and a kind, the name and the contents, each filled up to four bytes.
static void find_build_id(const uint8_t *notes, size_t size, struct loaded_image *image) {
    size_t place = 0;
    while (size - place >= sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(notes + place);
        size_t name = place + sizeof(*note);
        size_t contents = name + (((size_t)note->n_namesz + 3) & ~(size_t)3);
        size_t end = contents + (((size_t)note->n_descsz + 3) & ~(size_t)3);
        if (end > size) return;
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            image->build_id = notes + contents;
            image->build_id_size = note->n_descsz;
            return;
        }
        place = end;
    }
}

static int visit(struct dl_phdr_info *information, size_t size, void *context) {
    (void)size;
    struct loaded_image image = {.path = information->dlpi_name ? information->dlpi_name : "", .start = UINTPTR_MAX};
    for (int i = 0; i < information->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &information->dlpi_phdr[i];
        uintptr_t start = information->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD) {
            if (start < image.start) image.start = start;
            if ((part->p_flags & PF_X) && start + part->p_memsz > image.end_of_code) image.end_of_code = start + part->p_memsz;
        } else if (part->p_type == PT_NOTE && image.build_id == NULL) {
            find_build_id((const uint8_t *)start, part->p_memsz, &image);
        }
    }
    const struct visitor *visitor = context;
    if (image.start < image.end_of_code) visitor->body(&image, visitor->context);
    return 0;
}

void for_each_loaded_image(void (*body)(const struct loaded_image *image, void *context), void *context) {
    struct visitor visitor = {body, context};
    dl_iterate_phdr(visit, &visitor);
}
