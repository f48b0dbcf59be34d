import CoreData
import Foundation
import Testing

@Suite("References to objects whose entity has moved out of the destination's hierarchy")
struct LeftHierarchyTests {
    /// `Table` and `Thing` below `Base`; `Moving` below one of them. Things lead to tables.
    private static func model(movingBelow parent: String) throws -> NSManagedObjectModel {
        let names = ["Base", "Table", "Thing", "Moving"]
        let entities = names.map { CodedModel.entity($0, $0 == "Base" ? [("name", .stringAttributeType)] : []) }
        let byName = Dictionary(uniqueKeysWithValues: zip(names, entities))
        for (name, kind, isOrdered) in [("one", 1, false), ("many", 0, false), ("ordered", 0, true)] {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity) = (name, byName["Table"])
            (relationship.maxCount, relationship.isOrdered, relationship.isOptional) = (kind, isOrdered, true)
            byName["Thing"]?.properties += [relationship]
        }
        byName["Base"]?.subentities = ["Table", "Thing"].compactMap { byName[$0] }
        byName[parent]?.subentities = [byName["Moving"]].compactMap { $0 }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    @Test(
        "are gone after a lightweight migration, in place or by a manager, and the others stay",
        arguments: [nil, NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] as [String?])
    func references(managersType: String?) throws {
        let folder = try TemporaryFolder()
        var url = folder.url.appendingPathComponent("store")
        let type = managersType ?? NSSQLiteStoreType
        let old = try NSPersistentStoreCoordinator.context(Self.model(movingBelow: "Table"), at: url, type: type)
        let (table, moving) = (old.make("Table", ["name": "T"]), old.make("Moving", ["name": "M"]))
        let thing = old.make("Thing", ["name": "A", "one": moving])
        thing.setValue(Set([table, moving]), forKey: "many")
        thing.setValue(NSOrderedSet(array: [moving, table]), forKey: "ordered")
        try old.save()
        try old.closeStores()
        if managersType != nil {
            let models = (try Self.model(movingBelow: "Table"), try Self.model(movingBelow: "Thing"))
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: models.0, destinationModel: models.1)
            let migrated = folder.url.appendingPathComponent("migrated")
            try NSMigrationManager(sourceModel: models.0, destinationModel: models.1).migrateStore(
                from: url, sourceType: type, options: nil, with: mapping, toDestinationURL: migrated,
                destinationType: type, destinationOptions: nil)
            url = migrated
        }
        let new = try NSPersistentStoreCoordinator.context(Self.model(movingBelow: "Thing"), at: url, type: type)
        #expect(try new.all("Base").compactMap { $0.text("name") }.sorted() == ["A", "M", "T"])
        let read = try #require(try new.all("Thing", "name == 'A'").first)
        #expect(read.value(forKey: "one") == nil)
        #expect(read.members("many").compactMap { $0.text("name") } == ["T"])
        #expect((read.value(forKey: "ordered") as? NSOrderedSet)?.array.count == 1)
        #expect(try new.all("Thing").count == 2)
        try new.closeStores()
    }
}
