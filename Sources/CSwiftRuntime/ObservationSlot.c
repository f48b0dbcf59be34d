#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "ObservationSlot.h"

#include <stdint.h>

_Thread_local void *const *observation_slot;

static const char anything;
static void *const unknown_slot = (void *)&anything;

void set_observation_slot(void *const *slot) { observation_slot = slot ? slot : &unknown_slot; }

#if defined(__linux__)
#include <link.h>

struct search {
    uintptr_t address;
    const void *variables;
    size_t size;
};

static int visit(struct dl_phdr_info *library, size_t size, void *data) {
    struct search *search = data;
    const ElfW(Phdr) *variables = NULL;
    bool is_it = false;
    for (int index = 0; index < library->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &library->dlpi_phdr[index];
        uintptr_t start = library->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_TLS) variables = segment;
        if (segment->p_type == PT_LOAD && search->address - start < segment->p_memsz) is_it = true;
    }
    if (!is_it) return 0;
    if (variables && size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *)) {
        search->variables = library->dlpi_tls_data;
        search->size = variables->p_memsz;
    }
    return 1;
}

const void *thread_variables_of_library(const void *address, size_t *size) {
    struct search search = {.address = (uintptr_t)address};
    dl_iterate_phdr(visit, &search);
    *size = search.size;
    return search.variables;
}

#else

const void *thread_variables_of_library(const void *address, size_t *size) {
    *size = 0;
    return NULL;
}

#endif
