import CoreData
import Foundation
import Testing

@Suite("Save As with incremental stores")
struct IncrementalStoreSaveAsTests {
    @Test("To an incremental store: it is opened as a new one, gives out IDs, and gets everything in one save")
    func toIncrementalStore() throws {
        WarehouseStore.register()
        let source = try TemporaryStack(model: WarehouseStack.model(), storeType: NSInMemoryStoreType)
        let context = source.context()
        let author = context.make("Author", ["name": "Ursula"])
        context.make("Book", ["title": "Tehanu", "author": author])
        try context.save()
        let coordinator = source.container.persistentStoreCoordinator
        let warehouse = Warehouse()
        let new = try coordinator.migratePersistentStore(
            coordinator.persistentStores[0], to: warehouse.url, withType: WarehouseStore.storeType)
        #expect(
            warehouse.takeRequests().filter { !$0.hasPrefix("fetch") } == [
                "init", "loadMetadata", "identifierForNewStore", "didAdd", "obtainPermanentIDs 2", "save +2 ~0 -0 =0",
            ])
        #expect(coordinator.persistentStores == [new])
        let other = WarehouseStack.context(of: coordinator)
        #expect(try other.all("Author").first?.titles("books") == ["Tehanu"])
        withExtendedLifetime(other) {}
    }

    @Test("From an incremental store: its objects are read many at once, and it hears that it goes")
    func fromIncrementalStore() throws {
        let stack = try WarehouseStack()
        stack.addBooks()
        stack.warehouse.behaviour.givesRelationships = true
        _ = try stack.coordinator.migratePersistentStore(
            stack.store, to: URL(fileURLWithPath: "/dev/null"), withType: NSInMemoryStoreType)
        let log = stack.warehouse.takeRequests()
        #expect(log.last == "willRemove")
        #expect(log.dropLast().allSatisfy { $0.hasPrefix("fetch IDs of ") })
        #expect(try stack.otherContext().all("Book", "author.name == 'Ursula'").count == 2)
    }
}
