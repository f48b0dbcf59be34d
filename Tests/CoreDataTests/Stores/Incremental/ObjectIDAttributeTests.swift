import CoreData
import Foundation
import Testing

@Suite("Attributes of the type object ID in an incremental store")
struct ObjectIDAttributeTests {
    private let stack: WarehouseStack

    init() throws {
        let model = try WarehouseStack.model()
        let origin = NSAttributeDescription()
        origin.name = "origin"
        origin.attributeType = .objectIDAttributeType
        origin.isOptional = true
        let book = try #require(model.entitiesByName["Book"])
        book.properties.append(origin)
        stack = try WarehouseStack(model: model)
        stack.addBooks()
    }

    @Test("Values come out as the store gave them, of this store or another")
    func reading() throws {
        let other = try WarehouseStack()
        let ids = [stack.store.id(.init("Book", 11)), other.store.id(.init("Author", 1))]
        for id in ids {
            stack.warehouse.records[.init("Book", 12)]?.values["origin"] = id
            let context = stack.otherContext()
            let book = try context.existingObject(with: stack.store.id(.init("Book", 12)))
            #expect(book.value(forKey: "origin") as? NSManagedObjectID == id)
            let plain = try context.existingObject(with: stack.store.id(.init("Book", 13)))
            #expect(plain.value(forKey: "origin") == nil)
        }
    }

    @Test("Values are there after a save, and a rollback brings them back")
    func saving() throws {
        let id = stack.store.id(.init("Book", 11))
        let book = stack.context.make("Book", ["title": "Sequel", "origin": id])
        try stack.context.save()
        #expect(book.value(forKey: "origin") as? NSManagedObjectID == id)
        book.setValue(nil, forKey: "origin")
        stack.context.rollback()
        #expect(book.value(forKey: "origin") as? NSManagedObjectID == id)
        let found = try stack.otherContext().existingObject(with: book.objectID)
        #expect(found.value(forKey: "origin") as? NSManagedObjectID == id)
    }

    @Test("Anything else than an object ID is an error that names the attribute")
    func wrongType() throws {
        stack.warehouse.records[.init("Book", 12)]?.values["origin"] = "Book/11"
        let error = #expect(throws: NSError.self) {
            try stack.context.existingObject(with: stack.store.id(.init("Book", 12)))
        }
        #expect(error?.localizedDescription.contains("Book.origin") == true)
    }
}
