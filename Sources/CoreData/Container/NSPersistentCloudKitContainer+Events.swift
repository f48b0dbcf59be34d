import Foundation

extension NSPersistentCloudKitContainer {
    /// What an event is about (Apple: NSPersistentCloudKitContainer.EventType).
    public enum EventType: Int, Sendable {
        /// A store is set up.
        case setup
        /// Changes come from iCloud.
        case `import`
        /// Changes go to iCloud.
        case export
    }

    // Safe: nothing in it changes, and there is none.
    /// What a container on Apple's platforms does with a store and iCloud. Here there is none: the class is for observers of
    /// ``eventChangedNotification``, which compile and are never called.
    public final class Event: NSObject, NSCopying, @unchecked Sendable {
        /// What tells the event from others.
        public let identifier: UUID
        /// The identifier of the store that the event is about.
        public let storeIdentifier: String
        /// What is done.
        public let type: EventType
        /// When it began.
        public let startDate: Date
        /// When it ended; nil while it is under way.
        public let endDate: Date?
        /// Whether it ended, and without an error.
        public let succeeded: Bool
        /// Why it failed.
        public let error: (any Error)?

        private init(_ type: EventType, in storeIdentifier: String) {
            identifier = UUID()
            self.storeIdentifier = storeIdentifier
            self.type = type
            startDate = Date()
            endDate = nil
            succeeded = false
            error = nil
        }

        /// The event itself.
        public func copy(with zone: NSZone? = nil) -> Any { self }
    }
}
