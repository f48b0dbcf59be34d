#ifndef COSLOCK_H
#define COSLOCK_H

#include <stdbool.h>
#include <stdint.h>

/// What `os_unfair_lock_s` is: 0 when free. 1: held. 2: held, and others wait.
typedef struct oscompat_lock {
    uint32_t state;
} oscompat_lock;

/// Takes a lock; sleeps while another thread has it.
void oscompat_lock_take(oscompat_lock *lock);
/// Takes a lock where it is free. Returns whether it was.
bool oscompat_lock_try(oscompat_lock *lock);
/// Gives a lock back, and wakes a thread that waits for it.
void oscompat_lock_release(oscompat_lock *lock);

#endif
