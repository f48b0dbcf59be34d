#ifndef CUNFAIRLOCK_H
#define CUNFAIRLOCK_H

#include <stdbool.h>
#include <stdint.h>

/// What `os_unfair_lock_s` is: 0 when free, otherwise the number of the thread that holds it, with the highest bit where others wait.
typedef struct unfair_lock {
    uint32_t state;
} unfair_lock;

/// Takes a lock; sleeps while another thread has it.
void unfair_lock_acquire(unfair_lock *lock);
/// Takes a lock where it is free. Returns whether it was.
bool unfair_lock_try(unfair_lock *lock);
/// Gives a lock back, and wakes a thread that waits for it.
void unfair_lock_release(unfair_lock *lock);
/// Whether the calling thread has taken the lock and not given it back.
bool unfair_lock_is_owned(const unfair_lock *lock);

#endif
