import CoreData
import Foundation
import Testing

@Suite("Temporary IDs go through all levels, and become permanent for all")
@MainActor
struct ChildIdentityTests {
    @Test("An object keeps its temporary ID until the root saves; then every level has the permanent one")
    func replacement() throws {
        let tree = try ContextTree()
        let middle = tree.child()
        let leaf = tree.child(of: middle)
        let book = leaf.makeBook("One")
        let temporary = book.objectID
        try leaf.save()
        #expect(book.objectID == temporary)
        #expect(middle.object(with: temporary).text("title") == "One")
        try middle.save()
        #expect(book.objectID.isTemporaryID)
        try tree.root.save()
        let permanent = try #require(tree.root.all("Book").first?.objectID)
        #expect(!permanent.isTemporaryID)
        #expect(book.objectID == permanent)
        #expect(leaf.object(with: permanent) === book)
        #expect(leaf.registeredObject(for: temporary) === book)
        #expect(try middle.all("Book").map(\.objectID) == [permanent])
        #expect(try leaf.all("Book") == [book])
    }

    @Test("A predicate with a temporary ID finds the object before and after the save", arguments: Library.storeTypes)
    func predicates(storeType: String) throws {
        let tree = try ContextTree(storeType: storeType)
        let child = tree.child()
        let (book, author) = (child.makeBook("One"), child.make("Author", ["name": "A"]))
        book.setValue(author, forKey: "author")
        child.makeBook("Other")
        try child.save()
        let own = NSFetchRequest<NSManagedObject>(entityName: "Book")
        own.predicate = NSPredicate(format: "SELF == %@", book.objectID)
        let several = NSFetchRequest<NSManagedObject>(entityName: "Book")
        several.predicate = NSPredicate(format: "SELF IN %@", [book.objectID])
        let authors = NSFetchRequest<NSManagedObject>(entityName: "Book")
        authors.predicate = NSPredicate(format: "author == %@", author.objectID)
        for isSaved in [false, true] {
            if isSaved { try tree.root.save() }
            for request in [own, several, authors] {
                #expect(try child.fetch(request) == [book] && child.count(for: request) == 1)
                #expect(try tree.root.fetch(request).map { $0.text("title") } == ["One"])
            }
        }
        book.setValue("Two", forKey: "title")
        for request in [own, several, authors] { #expect(try child.fetch(request) == [book]) }
    }

    @Test("Relationships made before the IDs were permanent hold afterwards")
    func relationships() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let author = child.make("Author", ["name": "A"])
        let book = child.makeBook("One", ["author": author])
        try child.save()
        try tree.root.save()
        child.refreshAllObjects()
        #expect(book.value(forKey: "author") as? NSManagedObject === author)
        #expect(author.members("books") == [book])
        book.setValue("Two", forKey: "title")
        #expect(Set(book.changedValues().keys) == ["title"])
        try child.save()
        #expect(try tree.root.all("Book").first?.text("title") == "Two")
    }

    @Test("obtainPermanentIDs gives a child's new object the ID that it keeps up to the store")
    func obtainingInChild() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.makeBook("One")
        try child.obtainPermanentIDs(for: [book])
        let id = book.objectID
        #expect(!id.isTemporaryID)
        #expect(book.isInserted)
        #expect(try tree.stored().all("Book").isEmpty)
        try child.save()
        #expect(tree.root.insertedObjects.map(\.objectID) == [id])
        try tree.root.save()
        #expect(try tree.stored().all("Book").first?.objectID.uriRepresentation() == id.uriRepresentation())
        #expect(child.object(with: id) === book)
    }

    @Test("obtainPermanentIDs for an object that the parent has unsaved asks the parent")
    func obtainingThroughParent() throws {
        let tree = try ContextTree()
        let middle = tree.child()
        let leaf = tree.child(of: middle)
        let book = leaf.makeBook("One")
        try leaf.save()
        try middle.save()
        try leaf.obtainPermanentIDs(for: [book])
        #expect(!book.objectID.isTemporaryID)
        #expect(tree.root.insertedObjects.map(\.objectID) == [book.objectID])
        #expect(try middle.all("Book").map(\.objectID) == [book.objectID])
    }

    @Test("The URI of a temporary ID has no store; each is different")
    func uris() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let (one, two) = (child.makeBook("One").objectID, tree.root.makeBook("Two").objectID)
        #expect(one.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Book/t"))
        #expect(one != two)
        #expect(one.uriRepresentation() != two.uriRepresentation())
        #expect(one.persistentStore == nil)
    }

    @Test("A temporary ID that nobody knows gives a fault for nothing, and no object")
    func unknown() throws {
        let tree = try ContextTree()
        let stranger = try ContextTree().root.makeBook("Elsewhere").objectID
        #expect(throws: NSError.self) { try tree.root.existingObject(with: stranger) }
        #expect(throws: NSError.self) { try tree.child().existingObject(with: stranger) }
        #expect(tree.root.registeredObject(for: stranger) == nil)
    }
}
