@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Makes objects of rows: the class of each entity is looked up once.
final class ObjectMaker {
    private let context: NSManagedObjectContext
    private let registry: ObjectRegistry
    private let storeIndex: UInt16
    private var entityIndex = -1
    private var objectClass: NSManagedObject.Type = NSManagedObject.self
    private var seed: ManagedObjectSeed?

    init(context: NSManagedObjectContext, storeIndex: UInt16) {
        self.context = context
        self.storeIndex = storeIndex
        registry = context.registry
    }

    func object(of page: RowPage, row: Int) -> NSManagedObject {
        let index = page.entityIndex(row)
        if index != entityIndex {
            let layout = registry.model.entities[index]
            entityIndex = index
            objectClass = layout.objectClass
            seed = ManagedObjectSeed(layout: layout)
        }
        let object = objectClass.made(by: seed!)
        object.becomeFault(
            of: ObjectKey(handle: page.handle(row), entityIndex: index), storeIndex: storeIndex, registry: registry)
        object.snapshotPage = page
        object.snapshotRow = Int32(row)
        registry.register(object)
        if context.retainsRegisteredObjects { context.retained.insert(object) }
        return object
    }
}
