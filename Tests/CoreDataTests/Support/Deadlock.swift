import CoreData
import Dispatch

/// Two contexts whose blocks wait for each other.
enum Deadlock {
    /// Runs into it. Nobody comes back where it is noticed; otherwise this gives up after two minutes.
    static func run(_ first: NSManagedObjectContext, _ second: NSManagedObjectContext) {
        let both = DispatchSemaphore(value: 0)
        let entered = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        for (index, pair) in [(first, second), (second, first)].enumerated() {
            pair.0.perform {
                entered[index].signal()
                entered[1 - index].wait()
                pair.1.performAndWait {}
                both.signal()
            }
        }
        _ = both.wait(timeout: .now() + 120)
    }
}
