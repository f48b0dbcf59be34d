import Foundation

/// What the framework hands to the initialiser of a store class that it makes an instance of.
///
/// Swift can call only a required initialiser of a class that it has as a value, and clients override
/// `init(persistentStoreCoordinator:configurationName:at:options:)`, which Apple doesn't declare as required; so the
/// framework calls ``NSPersistentStore/init(_seed:)``, which every subclass inherits and which runs their override.
public final class PersistentStoreSeed {
    let type: String
    let coordinator: NSPersistentStoreCoordinator
    let configuration: String?
    let url: URL
    let options: [AnyHashable: Any]?

    init(
        type: String, coordinator: NSPersistentStoreCoordinator, configuration: String?, url: URL,
        options: [AnyHashable: Any]?
    ) {
        self.type = type
        self.coordinator = coordinator
        self.configuration = configuration
        self.url = url
        self.options = options
    }
}
