import CoreData
import Foundation
import Testing

@Suite("A deletion that is undone leaves every relationship as it was, read before or not")
struct UndoneDeletionTests {
    @Test(
        "A member comes back to its place in an ordered relationship", arguments: Library.storeTypes,
        ["Shelf", "Genre"])
    func place(storeType: String, entity: String) throws {
        for (isRead, isSaved) in [(false, false), (false, true), (true, false), (true, true)] {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let context = stack.context()
            let books = ["a", "b", "c"].map { context.make("Book", ["name": $0]) }
            let owner = context.make(entity, ["name": "o", "books": NSOrderedSet(array: books)])
            try context.save()
            context.refreshAllObjects()
            if isRead { #expect(owner.names(of: "books") == ["a", "b", "c"]) }
            let manager = context.undoing()
            context.step { context.delete(books[0]) }
            if isSaved { try context.save() }
            manager.undo()
            #expect(owner.names(of: "books") == ["a", "b", "c"], "read: \(isRead), saved: \(isSaved)")
            context.undoManager = nil
            try context.save()
            let saved = try #require(stack.reopened().all(entity).first)
            #expect(saved.names(of: "books") == ["a", "b", "c"], "read: \(isRead), saved: \(isSaved)")
        }
    }

    @Test("An object is its own member again", arguments: Library.storeTypes, [true, false])
    func ownMember(storeType: String, isOrdered: Bool) throws {
        for isRead in [true, false] {
            let stack = try TemporaryStack(model: Self.circle(isOrdered: isOrdered), storeType: storeType)
            let context = stack.context()
            let object = context.make("Node", ["name": "o"])
            for key in ["following", "friends"] {
                object.setValue(isOrdered ? NSOrderedSet(object: object) : NSSet(object: object), forKey: key)
            }
            try context.save()
            context.refreshAllObjects()
            if isRead { #expect(object.names(of: "followers") == ["o"]) }
            let manager = context.undoing()
            context.step { context.delete(object) }
            manager.undo()
            context.undoManager = nil
            try context.save()
            let saved = try #require(stack.reopened().all("Node").first)
            for key in ["following", "followers", "friends"] {
                #expect(object.names(of: key) == ["o"], "\(key), read: \(isRead)")
                #expect(saved.names(of: key) == ["o"], "\(key), read: \(isRead)")
            }
        }
    }

    @Test("Undoing brings back what leads to an object whose deletion is going to be denied")
    func denied() throws {
        let model = Shelves.model()
        try #require(model.entitiesByName["Author"]?.relationshipsByName["books"]).deleteRule = .denyDeleteRule
        let stack = try TemporaryStack(model: model)
        let context = stack.context()
        let (author, other) = (context.make("Author", ["name": "a"]), context.make("Author", ["name": "b"]))
        let book = context.make("Book", ["name": "b", "author": author])
        try context.save()
        let manager = context.undoing()
        context.step { context.delete(author) }
        context.step { book.setValue(other, forKey: "author") }
        manager.undo()
        #expect(book.value(forKey: "author") as? NSManagedObject === author)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code.rawValue == NSValidationRelationshipDeniedDeleteError)
    }

    /// Nodes that follow each other, and have each other for friends.
    private static func circle(isOrdered: Bool) -> NSManagedObjectModel {
        let node = CodedModel.entity("Node", [("name", .stringAttributeType)])
        let relationships = ["following", "followers", "friends"].map { name in
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.maxCount = 0
            relationship.isOrdered = isOrdered
            relationship.destinationEntity = node
            return relationship
        }
        node.properties += relationships
        relationships[0].inverseRelationship = relationships[1]
        relationships[1].inverseRelationship = relationships[0]
        relationships[2].inverseRelationship = relationships[2]
        return CodedModel.model(node)
    }
}

extension NSManagedObject {
    fileprivate func names(of key: String) -> [String] {
        let members = (value(forKey: key) as? NSOrderedSet)?.array ?? (value(forKey: key) as? NSSet)?.allObjects ?? []
        return members.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    }
}
