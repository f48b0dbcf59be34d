import Dispatch
import Foundation

/// Whether the current code runs on the main queue.
///
/// That isn't always the main thread: in a program that has called `dispatchMain()`, as every program with an asynchronous
/// `main` has, other threads serve the main queue.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
