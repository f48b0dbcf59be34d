#include "CUnfairLock.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/futex.h>
#else
#include <sched.h>
#endif

#define OTHERS_WAIT 0x80000000u

static _Atomic(uint32_t) *state_of(const unfair_lock *lock) { return (_Atomic(uint32_t) *)&lock->state; }

/// A number of the calling thread that no other has, never 0. Asked for once: it takes a call of the system.
static uint32_t this_thread(void) {
    static _Thread_local uint32_t number = 0;
    if (number == 0) {
#if defined(__linux__)
        number = (uint32_t)syscall(SYS_gettid);
#else
        static _Atomic(uint32_t) last = 0;
        number = atomic_fetch_add(&last, 1) + 1;
#endif
    }
    return number;
}

static void sleep_while(const unfair_lock *lock, uint32_t state) {
#if defined(__linux__)
    syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, state, (void *)0, (void *)0, 0);
#else
    (void)lock, (void)state;
    sched_yield();
#endif
}

static void wake_one(unfair_lock *lock) {
#if defined(__linux__)
    syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1, (void *)0, (void *)0, 0);
#endif
}

static bool change(unfair_lock *lock, uint32_t from, uint32_t to) {
    return atomic_compare_exchange_strong_explicit(
        state_of(lock), &from, to, memory_order_acquire, memory_order_relaxed);
}

void unfair_lock_acquire(unfair_lock *lock) {
    uint32_t me = this_thread();
    if (change(lock, 0, me)) { return; }
    for (;;) {
        uint32_t state = atomic_load_explicit(state_of(lock), memory_order_relaxed);
        if (state == 0) {
            // Whoever has waited can't know whether others still do, and so takes the lock as one that they wait for.
            if (change(lock, 0, me | OTHERS_WAIT)) { return; }
        } else if (state & OTHERS_WAIT || change(lock, state, state | OTHERS_WAIT)) {
            sleep_while(lock, state | OTHERS_WAIT);
        }
    }
}

bool unfair_lock_try(unfair_lock *lock) { return change(lock, 0, this_thread()); }

void unfair_lock_release(unfair_lock *lock) {
    if (atomic_exchange_explicit(state_of(lock), 0, memory_order_release) & OTHERS_WAIT) { wake_one(lock); }
}

bool unfair_lock_is_owned(const unfair_lock *lock) {
    return (atomic_load_explicit(state_of(lock), memory_order_relaxed) & ~OTHERS_WAIT) == this_thread();
}
