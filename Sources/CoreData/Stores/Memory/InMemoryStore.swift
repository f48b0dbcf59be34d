import Foundation

/// A store that lasts as long as its coordinator.
///
/// It takes models with uniqueness constraints and doesn't enforce them, as Apple's does (reported there as 28668254, so that
/// unit tests in memory may rely on it).
final class InMemoryStore: NSAtomicStore {
    private var lastReference = 0

    override var type: String { NSInMemoryStoreType }
    override var traits: StoreTraits { super.traits.union(.commitsSurely) }
    override class var optionRange: StoreOptionRange { .general }
    override func load() throws {}
    override func save() throws {}

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastReference += 1
        return NSNumber(value: lastReference)
    }

    /// A file that lies at the URL is none of the store's.
    override var liesAtURL: Bool { false }

    override class func destroyPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws {}

    override class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "A store in memory can't be replaced: it's nowhere but in its coordinator."
        )
    }
}
