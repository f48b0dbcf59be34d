import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("The gate of the stores")
struct StoreGateTests {
    @Test("lets nobody in beside one that is alone, however long that takes")
    func alone() {
        let gate = StoreGate()
        let left = DispatchGroup()
        let inside = Mutex(0)
        let met = Mutex(0)
        for _ in 0..<3 {
            left.enter()
            Thread.detachNewThread {
                for _ in 0..<30 {
                    gate.shared {
                        inside.withLock { $0 += 1 }
                        usleep(5_000)
                        inside.withLock { $0 -= 1 }
                    }
                }
                left.leave()
            }
        }
        for _ in 0..<4 {
            usleep(5_000)
            gate.alone {
                // Longer than others let it go first.
                for _ in 0..<15 {
                    met.withLock { $0 = max($0, inside.withLock { $0 }) }
                    usleep(10_000)
                }
            }
        }
        left.wait()
        #expect(met.withLock { $0 } == 0)
    }

    @Test("lets in one that is to be alone, although others always come")
    func fairness() {
        let gate = StoreGate()
        let isOver = Mutex(false)
        let left = DispatchGroup()
        for number in 0..<6 as Range<UInt32> {
            left.enter()
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) { gate.shared { _ = usleep(20_000 + number * 7_000) } }
                left.leave()
            }
        }
        let begin = Date()
        for _ in 0..<3 { gate.alone {} }
        #expect(Date().timeIntervalSince(begin) < 20)
        isOver.withLock { $0 = true }
        left.wait()
    }
}
