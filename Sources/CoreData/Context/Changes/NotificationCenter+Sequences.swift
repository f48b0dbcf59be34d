import Foundation

extension NotificationCenter {
    /// The notifications of a name, and of an object where one is named, as they are posted from now on: what Foundation has on
    /// Apple's platforms (Apple: `notifications(named:object:)`).
    ///
    /// The object isn't kept alive. Ends with the task that reads it.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(self, name, object)
    }

    /// Notifications as an asynchronous sequence.
    public final class Notifications: AsyncSequence, Sendable {
        /// What the sequence consists of.
        public typealias Element = Notification

        // Safe: a notification is constant. What it carries is used on the thread that posts and on the one that reads, as with
        // Apple's sequence.
        fileprivate struct Box: @unchecked Sendable {
            let notification: Notification
        }

        private let stream: AsyncStream<Box>

        fileprivate init(_ center: NotificationCenter, _ name: Notification.Name, _ object: AnyObject?) {
            let (stream, continuation) = AsyncStream.makeStream(of: Box.self)
            self.stream = stream
            // Safe: it is only handed back to the center, which may be called on any thread.
            nonisolated(unsafe) let token = center.addObserver(forName: name, object: object, queue: nil) {
                continuation.yield(Box(notification: $0))
            }
            continuation.onTermination = { _ in center.removeObserver(token) }
        }

        /// Makes an iterator. Notifications that were posted since the sequence was made and haven't been read come
        /// first.
        public func makeAsyncIterator() -> Iterator { Iterator(boxes: stream.makeAsyncIterator()) }

        /// Waits for one notification after the other.
        public struct Iterator: AsyncIteratorProtocol {
            private var boxes: AsyncStream<Box>.AsyncIterator

            fileprivate init(boxes: AsyncStream<Box>.AsyncIterator) { self.boxes = boxes }

            /// Waits for the next notification; nil where the task is cancelled.
            public mutating func next() async -> Notification? { await boxes.next()?.notification }
        }
    }
}
