import CoreData
import Foundation
import Testing

@Suite("An object keeps its place in a context while one of another entity is held for the same row")
struct DisplacedObjectTests {

    /// `Song` below `Item`, both with notes that lead to them.
    private static func model() -> NSManagedObjectModel {
        let (item, song, note) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (item.name, song.name, note.name) = ("Item", "Song", "Note")
        let (notes, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
        (notes.name, notes.destinationEntity, notes.inverseRelationship) = ("notes", note, owner)
        (owner.name, owner.destinationEntity, owner.inverseRelationship, owner.maxCount) = ("item", item, notes, 1)
        item.subentities = [song]
        item.properties = [MigrationLibrary.attribute("name", .stringAttributeType), notes]
        note.properties = [owner]
        for property in [item, note].flatMap(\.properties) { property.isOptional = true }
        let model = NSManagedObjectModel()
        model.entities = [item, song, note]
        return model
    }

    private func id(_ uri: URL, as name: String, in context: NSManagedObjectContext) -> NSManagedObjectID? {
        let text = uri.absoluteString.replacingOccurrences(of: "/Item/", with: "/\(name)/")
        return URL(string: text).flatMap {
            context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0)
        }
    }

    @Test("though the row isn't there yet, and a URI of another entity names its ID", arguments: Library.storeTypes)
    func reserved(type: String) throws {
        let stack = try TemporaryStack(model: Self.model(), storeType: type)
        let context = stack.context()
        let item = context.make("Item", ["name": "one"])
        try context.obtainPermanentIDs(for: [item])
        let foreign = try #require(id(item.objectID.uriRepresentation(), as: "Song", in: context))
        let held = context.object(with: foreign)
        #expect(held !== item && held === context.object(with: foreign))
        #expect(context.object(with: item.objectID) === item)
        #expect(context.registeredObjects.contains(item) && context.registeredObjects.contains(held))
        item.setValue("two", forKey: "name")
        context.make("Note").setValue(item, forKey: "item")
        try context.save()
        let other = stack.context()
        #expect(try other.all("Item").map { $0.text("name") } == ["two"])
        #expect(try other.all("Note").first?.value(forKey: "item") as? NSManagedObject == other.all("Item").first)
        context.delete(context.object(with: item.objectID))
        try context.save()
        #expect(try stack.context().all("Item").isEmpty)
    }

    @Test(
        "though the other, of an entity above, turns out not to be there, and that is merged",
        arguments: Library.storeTypes)
    func merged(type: String) throws {
        let stack = try TemporaryStack(model: Self.model(), storeType: type)
        let (context, other) = (stack.context(), stack.context())
        let song = context.make("Song", ["name": "one"])
        try context.obtainPermanentIDs(for: [song])
        let uri = song.objectID.uriRepresentation().absoluteString.replacingOccurrences(of: "/Song/", with: "/Item/")
        let foreign = context.persistentStoreCoordinator?.managedObjectID(
            forURIRepresentation: try #require(URL(string: uri)))
        try context.save()
        let id = song.objectID
        context.reset()
        let read = try other.existingObject(with: id)
        read.setValue("two", forKey: "name")
        #expect(context.object(with: try #require(foreign)).value(forKey: "name") == nil)
        context.make("Note")
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: context)
        try context.save()
        other.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(read.managedObjectContext === other && other.hasChanges)
        try other.save()
        #expect(try stack.context().all("Song").map { $0.text("name") } == ["two"])
    }

    /// As a history that names another entity for a change makes them.
    @Test("though the other was made first, by an ID from before the row", arguments: Library.storeTypes)
    func madeBefore(type: String) throws {
        let stack = try TemporaryStack(model: Self.model(), storeType: type)
        let (context, other) = (stack.context(), stack.context())
        let made = other.make("Item", ["name": "one"])
        try other.obtainPermanentIDs(for: [made])
        let foreign = try #require(id(made.objectID.uriRepresentation(), as: "Song", in: other))
        let held = context.object(with: foreign)
        try other.save()
        let item = context.object(with: made.objectID)
        #expect(item !== held && item.entity.name == "Item")
        #expect(context.object(with: made.objectID) === item)
        item.setValue("two", forKey: "name")
        try context.save()
        #expect(try stack.context().all("Item").map { $0.text("name") } == ["two"])
        #expect(try context.all("Item") == [item])
        withExtendedLifetime(held) {}
    }

    @Test("and leaves it to the other when it goes")
    func lifetimes() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        let made = context.make("Item", ["name": "one"])
        try context.obtainPermanentIDs(for: [made])
        let foreign = try #require(id(made.objectID.uriRepresentation(), as: "Song", in: context))
        for _ in 0..<3 {
            let held = context.object(with: foreign)
            #expect(context.registeredObjects == [made, held])
        }
        #expect(context.registeredObjects == [made])
        #expect(context.registeredObject(for: foreign) == nil)
        #expect(context.registeredObject(for: made.objectID) === made)
    }

    @Test("in a history that names another entity for its changes")
    func history() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("store")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSPersistentHistoryTrackingKey: true])
        func newContext() -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let id = try {
            let saving = newContext()
            let item = saving.make("Item", ["name": "one"])
            try saving.save()
            return item.objectID
        }()
        let numbers = try PlainSQLite.rows("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Song'", in: url)
        let song = try #require(numbers.first?.first ?? nil)
        _ = try PlainSQLite.rows("UPDATE ACHANGE SET ZENTITY = \(song)", in: url)
        let context = newContext()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
        let changes = (result.result as? [NSPersistentHistoryTransaction] ?? []).flatMap { $0.changes ?? [] }
        let held = changes.map { context.object(with: $0.changedObjectID) }
        #expect(held.map { $0.entity.name } == ["Song"])
        context.object(with: id).setValue("two", forKey: "name")
        try context.save()
        let other = newContext()
        #expect(try other.all("Item").map { $0.text("name") } == ["two"])
        withExtendedLifetime(held) {}
    }
}
