import Foundation
import Testing
import UnifiedLogging

@Suite("Apple's unfair locks")
struct UnfairLockTests {
    @Test("Threads that count under the lock lose nothing")
    func counting() {
        let count = OSAllocatedUnfairLock(initialState: 0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<2_000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 16_000)
    }

    @Test("A lock that is held isn't taken twice, and is free after it was given back")
    func trying() {
        var lock = os_unfair_lock()
        os_unfair_lock_lock(&lock)
        #expect(!os_unfair_lock_trylock(&lock))
        os_unfair_lock_unlock(&lock)
        #expect(os_unfair_lock_trylock(&lock))
        let plain = OSAllocatedUnfairLock()
        plain.lock()
        #expect(!plain.lockIfAvailable())
        plain.unlock()
        #expect(plain.withLock { 3 } == 3)
    }

    @Test("A lock knows whether the calling thread has it")
    func ownership() async {
        var lock = os_unfair_lock()
        os_unfair_lock_assert_not_owner(&lock)
        os_unfair_lock_lock(&lock)
        os_unfair_lock_assert_owner(&lock)
        os_unfair_lock_unlock(&lock)
        let plain = OSAllocatedUnfairLock()
        plain.precondition(.notOwner)
        plain.withLockUnchecked {
            plain.precondition(.owner)
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                if !plain.lockIfAvailable() { return }
                Issue.record("the lock was free")
            }
            Thread { plain.precondition(.notOwner) }.start()
        }
        plain.precondition(.notOwner)
        await #expect(processExitsWith: .failure) { OSAllocatedUnfairLock().precondition(.owner) }
        await #expect(processExitsWith: .failure) {
            var lock = os_unfair_lock()
            os_unfair_lock_lock(&lock)
            os_unfair_lock_assert_not_owner(&lock)
        }
    }
}
