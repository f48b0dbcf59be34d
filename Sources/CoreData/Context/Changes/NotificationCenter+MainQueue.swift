import Foundation
import FoundationCompat

extension NotificationCenter {
    /// Calls a block on a queue with each notification, before posting returns (Apple: `addObserver(forName:object:queue:using:)`).
    ///
    /// For the main queue it takes the place of Foundation's on Linux, which waits for ever for the main queue where a notification is posted
    /// there by a thread that isn't the main one, as threads do that serve the queue of a program with an asynchronous `main`.
    /// Here the block runs at once on the main queue; a post from elsewhere waits for it, as on Apple's platforms.
    @discardableResult
    public func addObserver(
        forName name: NSNotification.Name?, object: Any?, queue: OperationQueue,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        guard queue === OperationQueue.main else {
            return addObserver(forName: name, object: object, queue: queue as OperationQueue?, using: block)
        }
        return addObserver(forName: name, object: object, queue: nil as OperationQueue?) { notification in
            if MainQueue.isCurrent { return block(notification) }
            let received = NotificationPassage(notification: notification)
            DispatchQueue.main.sync { block(received.notification) }
        }
    }
}

// Safe: the thread that posts waits until the block has returned.
/// A notification on its way to the main queue.
private struct NotificationPassage: @unchecked Sendable {
    let notification: Notification
}
