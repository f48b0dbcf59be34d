import CoreData
import Foundation
import Testing

@Suite("Values of attributes of the type object ID are kept or refused, and never lost")
struct ObjectIDValueTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("store") }

    init() throws { folder = try TemporaryFolder() }

    private func stack(_ type: String) throws -> AtomicStack {
        let model = try Library.model(for: type)
        let origin = NSAttributeDescription()
        origin.name = "origin"
        origin.attributeType = .objectIDAttributeType
        origin.isOptional = true
        try #require(model.entitiesByName["Book"]).properties.append(origin)
        return try AtomicStack(type == NSInMemoryStoreType ? nil : url, type: type, model: model)
    }

    @Test(
        "A file can't hold one: the save fails, names the attribute, and changes nothing", arguments: Library.storeTypes
    )
    func values(type: String) throws {
        let stack = try stack(type)
        let author = stack.context.make("Author", ["name": "Ursula"])
        let book = stack.context.makeBook("Tehanu", ["author": author])
        try stack.context.save()
        book.setValue(author.objectID, forKey: "origin")
        let fresh = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        fresh.persistentStoreCoordinator = stack.coordinator
        guard type != NSInMemoryStoreType else {
            try stack.context.save()
            let found = try #require(fresh.all("Book").first)
            #expect(found.value(forKey: "origin") as? NSManagedObjectID == author.objectID)
            return
        }
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedDescription.contains("Book.origin") == true)
        #expect(error?.localizedDescription.contains(type) == true)
        #expect(book.value(forKey: "origin") as? NSManagedObjectID == author.objectID && book.hasChanges)
        #expect(try fresh.all("Book").first?.value(forKey: "origin") == nil)
        book.setValue(nil, forKey: "origin")
        book.setValue("Rocannon", forKey: "title")
        try stack.context.save()
        #expect(try fresh.all("Book", "title == 'Rocannon'").count == 1)
    }

    @Test("Save As into a file refuses them too, and leaves the old store in use", arguments: Library.storeTypes)
    func saveAs(type: String) throws {
        let stack = try stack(NSInMemoryStoreType)
        let author = stack.context.make("Author", ["name": "Ursula"])
        try stack.context.save()
        stack.context.makeBook("Tehanu", ["author": author, "origin": author.objectID])
        try stack.context.save()
        guard type != NSInMemoryStoreType else { return }
        let error = #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(stack.store, to: url, withType: type)
        }
        #expect(error?.localizedDescription.contains("Book.origin") == true)
        #expect(stack.coordinator.persistentStores == [stack.store])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
