import Foundation

/// The name of the container in CloudKit that a store would be mirrored to, for code that is shared with Apple's platforms.
/// Nothing is mirrored on Linux.
open class NSPersistentCloudKitContainerOptions: NSObject {
    /// The identifier of the container in CloudKit.
    open private(set) var containerIdentifier: String

    /// Makes options for the container of that identifier.
    public init(containerIdentifier: String) {
        self.containerIdentifier = containerIdentifier
        super.init()
    }
}
