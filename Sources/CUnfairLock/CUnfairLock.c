#include "CUnfairLock.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/futex.h>
#else
#include <sched.h>
#endif

static _Atomic(uint32_t) *state_of(unfair_lock *lock) { return (_Atomic(uint32_t) *)&lock->state; }

static void sleep_while_contended(unfair_lock *lock) {
#if defined(__linux__)
    syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, 2, (void *)0, (void *)0, 0);
#else
    sched_yield();
#endif
}

static void wake_one(unfair_lock *lock) {
#if defined(__linux__)
    syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, (void *)0, (void *)0, 0);
#endif
}

void unfair_lock_acquire(unfair_lock *lock) {
    uint32_t expected = 0;
    if (atomic_compare_exchange_strong_explicit(
            state_of(lock), &expected, 1, memory_order_acquire, memory_order_relaxed)) {
        return;
    }
    // Whoever has waited can't know whether others still do, and so takes the lock as one that they wait for.
    while (atomic_exchange_explicit(state_of(lock), 2, memory_order_acquire) != 0) { sleep_while_contended(lock); }
}

bool unfair_lock_try(unfair_lock *lock) {
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(
        state_of(lock), &expected, 1, memory_order_acquire, memory_order_relaxed);
}

void unfair_lock_release(unfair_lock *lock) {
    if (atomic_exchange_explicit(state_of(lock), 0, memory_order_release) == 2) { wake_one(lock); }
}
