import Foundation

/// A store that lasts as long as its coordinator.
final class InMemoryStore: NSAtomicStore {
    private var lastReference = 0

    override var type: String { NSInMemoryStoreType }
    override func load() throws {}
    override func save() throws {}

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastReference += 1
        return NSNumber(value: lastReference)
    }
}
