import CoreData
import Foundation
import Testing

@Suite("An ID that a stranger gives can't make an object of another entity out of a row")
struct ForeignIdentityTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    /// `Photo` and `Song` below `Item`, with different attributes at the same places.
    private static func model() -> NSManagedObjectModel {
        let (base, photo, song) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (base.name, photo.name, song.name) = ("Item", "Photo", "Song")
        base.subentities = [photo, song]
        base.properties = [MigrationLibrary.attribute("name", .stringAttributeType)]
        photo.properties = [
            MigrationLibrary.attribute("place", .stringAttributeType),
            MigrationLibrary.attribute("x", .integer64AttributeType),
        ]
        song.properties = [
            MigrationLibrary.attribute("artist", .stringAttributeType),
            MigrationLibrary.attribute("x", .stringAttributeType),
        ]
        for property in [base, photo, song].flatMap(\.properties) { property.isOptional = true }
        let model = NSManagedObjectModel()
        model.entities = [base, photo, song]
        return model
    }

    /// The last part of the URI that the first object of an entity gets in a new store of a type.
    private static func firstReference(
        _ entity: String, in type: String, of model: NSManagedObjectModel
    ) throws -> String {
        let stack = try TemporaryStack(model: model, storeType: type)
        let context = stack.context()
        let object = context.make(entity)
        if model.entitiesByName["Owner"] != nil { context.make("Owner").setValue(Set([object]), forKey: "items") }
        try context.save()
        return object.objectID.uriRepresentation().lastPathComponent
    }

    /// The IDs of some entities for a row that isn't there yet.
    private static func foreignIDs(
        _ names: [String], reference: String, in stack: TemporaryStack
    ) throws -> [NSManagedObjectID] {
        let coordinator = stack.container.persistentStoreCoordinator
        let identifier = try #require(coordinator.persistentStores.first?.identifier)
        return try names.map { name in
            let url = try #require(URL(string: "x-coredata://\(identifier)/\(name)/\(reference)"))
            return try #require(coordinator.managedObjectID(forURIRepresentation: url))
        }
    }

    @Test("A URI with the name of a relative of the row's entity has no ID once the row is there", arguments: types)
    func uris(type: String) throws {
        let stack = try TemporaryStack(model: Self.ownerModel(.nullifyDeleteRule), storeType: type)
        let context = stack.context()
        let objects = ["Photo", "Item", "Owner"].map { context.make($0) }
        try context.save()
        let coordinator = stack.container.persistentStoreCoordinator
        for object in objects {
            let name = try #require(object.entity.name)
            for other in ["Photo", "Song", "Item", "Owner"] {
                let text = object.objectID.uriRepresentation().absoluteString
                let url = try #require(URL(string: text.replacingOccurrences(of: "/\(name)/", with: "/\(other)/")))
                let id = coordinator.managedObjectID(forURIRepresentation: url)
                if name != "Owner", other != "Owner", other != name { #expect(id == nil, "\(url)") }
                if other == name { #expect(id == object.objectID) }
            }
        }
    }

    @Test("A sibling's name in its URI finds nothing, and fetches give the right object", arguments: types)
    func siblings(type: String) throws {
        let stack = try TemporaryStack(model: Self.model(), storeType: type)
        let reference = try Self.firstReference("Photo", in: type, of: Self.model())
        let foreigners = try Self.foreignIDs(["Song", "Item"], reference: reference, in: stack)
        let context = stack.context()
        let photo = context.make("Photo", ["name": "A", "place": "here", "x": 7])
        try context.save()
        #expect(photo.objectID.uriRepresentation().lastPathComponent == reference)
        context.reset()
        let held = foreigners.map { foreign in
            #expect(throws: CocoaError.self) { try context.existingObject(with: foreign) }
            return context.object(with: foreign)
        }
        for name in ["Photo", "Item"] {
            let found = try #require(try context.all(name).first)
            #expect(found.entity.name == "Photo" && !held.contains(found))
            #expect(found.value(forKey: "place") as? String == "here" && found.value(forKey: "x") as? Int == 7)
        }
        #expect(try context.all("Song").isEmpty)
        let found = try #require(try context.all("Photo").first)
        found.setValue(8, forKey: "x")
        try context.save()
        #expect(try stack.reopened().all("Item").first?.value(forKey: "x") as? Int == 8)
    }

    /// The same, and an owner of items.
    private static func ownerModel(_ rule: NSDeleteRule) throws -> NSManagedObjectModel {
        let model = Self.model()
        let (owner, item) = (NSEntityDescription(), try #require(model.entitiesByName["Item"]))
        let (items, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (items.name, items.destinationEntity, items.inverseRelationship, items.isOptional) = ("items", item, back, true)
        (back.name, back.destinationEntity, back.inverseRelationship, back.isOptional) = ("owner", owner, items, true)
        (back.maxCount, items.deleteRule) = (1, rule)
        owner.name = "Owner"
        owner.properties = [items]
        item.properties += [back]
        model.entities += [owner]
        return model
    }

    @Test("Relationships lead to the right object while an object of another entity is held", arguments: types)
    func relationships(type: String) throws {
        let stack = try TemporaryStack(model: Self.ownerModel(.cascadeDeleteRule), storeType: type)
        let reference = try Self.firstReference("Photo", in: type, of: Self.ownerModel(.cascadeDeleteRule))
        let foreigners = try Self.foreignIDs(["Song", "Item"], reference: reference, in: stack)
        let context = stack.context()
        let photo = context.make("Photo", ["name": "A", "place": "here", "x": 7])
        context.make("Owner", [:]).setValue(Set([photo]), forKey: "items")
        try context.save()
        #expect(photo.objectID.uriRepresentation().lastPathComponent == reference)
        context.reset()
        let held = foreigners.map { context.object(with: $0) }
        let found = try #require(try context.all("Owner").first)
        #expect(found.members("items").map { $0.entity.name } == ["Photo"])
        #expect(found.members("items").first?.value(forKey: "x") as? Int == 7)
        context.delete(found)
        try context.save()
        #expect(try stack.reopened().all("Item").isEmpty)
        withExtendedLifetime(held) {}
    }

    @Test("So they do once the held one has turned out not to be there, and delete rules find it", arguments: types)
    func firedStranger(type: String) throws {
        for rule in [NSDeleteRule.cascadeDeleteRule, .denyDeleteRule] {
            let stack = try TemporaryStack(model: Self.ownerModel(rule), storeType: type)
            let reference = try Self.firstReference("Item", in: type, of: Self.ownerModel(rule))
            let foreign = try Self.foreignIDs(["Photo"], reference: reference, in: stack)
            let context = stack.context()
            let item = context.make("Item", ["name": "A"])
            context.make("Owner", [:]).setValue(Set([item]), forKey: "items")
            try context.save()
            #expect(item.objectID.uriRepresentation().lastPathComponent == reference)
            context.reset()
            let held = context.object(with: foreign[0])
            #expect(held.value(forKey: "name") == nil)
            #expect(held.isDeleted)
            let found = try #require(try context.all("Owner").first)
            #expect(found.members("items").map { $0.text("name") } == ["A"])
            context.delete(found)
            if rule == .denyDeleteRule {
                #expect(throws: CocoaError.self) { try context.save() }
            } else {
                try context.save()
                #expect(try stack.reopened().all("Item").isEmpty)
            }
            withExtendedLifetime(held) {}
        }
    }
}
