#ifndef OPENCOREDATA_OBSERVATIONSLOT_H
#define OPENCOREDATA_OBSERVATIONSLOT_H

#include <stdbool.h>
#include <stddef.h>

// `withObservationTracking` keeps what it collects in a thread-local variable of the Observation library, which has no
// public question "is the current thread inside one?". Where that variable lies is found once a thread, and looked at with
// two loads from then on.

/// Where the current thread's variable lies; null until it was looked for. It is read without a call, by way of the thread's
/// fixed part, where there is room for a word even if the module is loaded later.
extern _Thread_local void *const *observation_slot __attribute__((tls_model("initial-exec")));

/// Whether the current thread is, or may be, inside `withObservationTracking`.
static inline bool thread_may_track_reads(void) {
    void *const *slot = observation_slot;
    return slot == NULL || *slot != NULL;
}

static inline bool thread_knows_observation_slot(void) { return observation_slot != NULL; }

/// Sets where the current thread's variable lies; null means that nobody knows, and that every read counts as tracked.
void set_observation_slot(void *const *slot);

/// Returns the current thread's copy of the thread-local variables that belong to the library in which `address` lies, and
/// their size; null where it has none, or none yet.
const void *thread_variables_of_library(const void *address, size_t *size);

#endif
