import CoreData
import Foundation
import Testing

@Suite("Reference objects of an incremental store")
struct IncrementalStoreIdentityTests {
    nonisolated(unsafe) private static let references: [AnyHashable] = [
        0, 1, 4_294_967_296, -5, 1 << 60, "plain", "17", "", "'quoted", "with space/slash%", "Ünïcode", "-3",
        "8D5E0F5A-4F4B-4F7C-9C39-0E9F0E1B2C3D", UUID(uuidString: "8D5E0F5A-4F4B-4F7C-9C39-0E9F0E1B2C3D")!,
    ]

    @Test(
        "Strings, numbers and UUIDs come back as they are, and through URIs", arguments: references.indices)
    func roundTrip(_ index: Int) throws {
        let reference = Self.references[index]
        let stack = try WarehouseStack()
        stack.warehouse.add("Book", reference, ["title": "Found"])
        try stack.context.save()
        let entity = try #require(stack.store.entity("Book"))
        let id = stack.store.newObjectID(for: entity, referenceObject: reference.base)
        #expect(stack.store.key(id).reference == reference)
        #expect(stack.store.newObjectID(for: entity, referenceObject: reference.base) == id)
        let uri = id.uriRepresentation()
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == id)
        let again = try WarehouseStack(stack.warehouse)
        let found = try #require(again.coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(again.store.key(found).reference == reference)
        #expect(try again.context.existingObject(with: found).text("title") == "Found")
    }

    @Test("Equal references of different kinds or entities are different objects")
    func distinct() throws {
        let stack = try WarehouseStack()
        let entity = try #require(stack.store.entity("Book"))
        let ids = Self.references.map { stack.store.newObjectID(for: entity, referenceObject: $0.base) }
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids.map { $0.uriRepresentation() }).count == ids.count)
        #expect(stack.store.id(.init("Author", 1)) != stack.store.id(.init("Book", 1)))
    }

    @Test("An object keeps its ID through saves, with references of each kind")
    func stable() throws {
        let kinds: [(Int) -> AnyHashable] = [{ $0 }, { "key \($0)" }, { _ in UUID() }]
        for kind in kinds {
            let stack = try WarehouseStack()
            stack.warehouse.behaviour.newKey = kind
            let author = stack.context.make("Author", ["name": "Ursula"])
            let book = stack.context.makeBook("Tehanu", ["author": author])
            try stack.context.save()
            let ids = [author.objectID, book.objectID]
            book.setValue("Changed", forKey: "title")
            try stack.context.save()
            #expect([author.objectID, book.objectID] == ids)
            let other = try WarehouseStack(stack.warehouse)
            let found = try #require(other.context.all("Book").first)
            #expect((found.value(forKey: "author") as? NSManagedObject)?.text("name") == "Ursula")
            #expect(found.objectID.uriRepresentation() == book.objectID.uriRepresentation())
        }
    }
}
