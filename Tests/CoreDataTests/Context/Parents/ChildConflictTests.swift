import CoreData
import Foundation
import Testing

@Suite("A child's save replaces what the parent has changed meanwhile")
@MainActor
struct ChildConflictTests {
    /// A book that the child has given the title "Mine" and 20 pages, and the parent the title "Theirs" and 5 copies.
    private func conflict(_ policy: NSMergePolicy) throws -> (ContextTree, NSManagedObjectContext, NSManagedObject) {
        let tree = try ContextTree()
        let book = tree.root.makeBook("Base", ["copies": 1, "pages": 10])
        try tree.root.save()
        let child = tree.child()
        child.mergePolicy = policy
        let mine = try child.existingObject(with: book.objectID)
        mine.setValue("Mine", forKey: "title")
        mine.setValue(20, forKey: "pages")
        book.setValue("Theirs", forKey: "title")
        book.setValue(5, forKey: "copies")
        return (tree, child, mine)
    }

    private func values(_ object: NSManagedObject?) -> [String] {
        ["title", "copies", "pages"].map { object?.value(forKey: $0).map { "\($0)" } ?? "nil" }
    }

    private nonisolated static let policies = [
        NSMergePolicy.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
    ]

    @Test(
        "What the child has changed is the parent's then, whatever the policies; the parent's other changes stay",
        arguments: policies)
    func replaced(policy: NSMergePolicy) throws {
        let (tree, child, mine) = try conflict(policy)
        tree.root.mergePolicy = policy
        try child.save()
        #expect(values(try tree.root.all("Book").first) == ["Mine", "5", "20"])
        #expect(values(mine).first == "Mine")
        #expect(!child.hasChanges)
        try tree.root.save()
        #expect(values(try tree.stored().all("Book").first) == ["Mine", "5", "20"])
        #expect(values(mine).last == "20")
    }

    @Test(
        "Of two siblings that change one object, the later save prevails in what it has changed",
        arguments: [true, false])
    func siblings(merges: Bool) throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("Base", ["copies": 1, "pages": 10])
        try tree.root.save()
        let objects = try (0..<2).map { _ in
            let child = tree.child()
            child.automaticallyMergesChangesFromParent = merges
            return try child.existingObject(with: book.objectID)
        }
        for (number, object) in objects.enumerated() { object.setValue("Title \(number)", forKey: "title") }
        objects[0].setValue(2, forKey: "copies")
        objects[1].setValue(20, forKey: "pages")
        for object in objects { try object.managedObjectContext?.save() }
        #expect(values(book) == ["Title 1", "2", "20"])
        try tree.root.save()
        #expect(values(try tree.stored().all("Book").first) == ["Title 1", "2", "20"])
    }

    @Test("A to-one that both have changed leads where the child says, and both ends agree")
    func references() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("Base")
        let authors = ["a", "b", "c"].map { tree.root.make("Author", ["name": $0]) }
        book.setValue(authors[0], forKey: "author")
        try tree.root.save()
        let child = tree.child()
        let mine = try child.existingObject(with: book.objectID)
        mine.setValue(try child.existingObject(with: authors[1].objectID), forKey: "author")
        book.setValue(authors[2], forKey: "author")
        try child.save()
        #expect(book.value(forKey: "author") as? NSManagedObject === authors[1])
        try tree.root.save()
        for context in [tree.root, try tree.stored()] {
            let counts = try context.all("Author", sort: "name").map {
                $0.objectIDs(forRelationshipNamed: "books").count
            }
            #expect(counts == [0, 1, 0])
        }
    }

    @Test("What the child deletes is deleted, though the parent has changed or deleted it", arguments: [true, false])
    func deletedByChild(alsoByParent: Bool) throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("Base")
        try tree.root.save()
        let child = tree.child()
        child.delete(try child.existingObject(with: book.objectID))
        if alsoByParent { tree.root.delete(book) } else { book.setValue("Theirs", forKey: "title") }
        try child.save()
        #expect(book.isDeleted)
        try tree.root.save()
        #expect(try tree.stored().all("Book").isEmpty)
    }

    @Test("An object that the parent has deleted comes back only where the child's object trumps")
    func deleted() throws {
        for (policy, survives) in [
            (NSMergePolicy.mergeByPropertyObjectTrump, true), (.mergeByPropertyStoreTrump, false),
        ] {
            let tree = try ContextTree()
            let book = tree.root.makeBook("Base")
            try tree.root.save()
            let child = tree.child()
            let mine = try child.existingObject(with: book.objectID)
            mine.setValue("Mine", forKey: "title")
            tree.root.delete(book)
            #expect(throws: NSError.self) { try child.save() }
            child.mergePolicy = policy
            try child.save()
            try tree.root.save()
            #expect(try tree.stored().all("Book").compactMap { $0.text("title") } == (survives ? ["Mine"] : []))
        }
    }

    @Test("A parent that saves, or is changed back, is no conflict")
    func noConflict() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("Base")
        let child = tree.child()
        let mine = try child.existingObject(with: book.objectID)
        try tree.root.save()
        book.setValue("Other", forKey: "title")
        book.setValue("Base", forKey: "title")
        mine.setValue("Mine", forKey: "title")
        try child.save()
        #expect(book.text("title") == "Mine")
    }

    @Test("detectConflicts has the save look at an unchanged object too")
    func locked() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("Base")
        let child = tree.child()
        let mine = try child.existingObject(with: book.objectID)
        child.detectConflicts(for: mine)
        child.makeBook("New")
        book.setValue("Changed", forKey: "title")
        let error = #expect(throws: NSError.self) { try child.save() }
        #expect(error?.code == NSManagedObjectMergeError)
    }

    @Test(
        "What the child prefers comes back whatever the parent has of an object that is gone under it",
        arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite], ["fault", "fired", "nothing", "values"])
    func goneUnderParent(policy: NSMergePolicy, parentHas: String) throws {
        let tree = try ContextTree()
        let other = tree.sibling()
        let author = other.make("Author", ["name": "A"])
        let book = other.makeBook("Base", ["pages": 1])
        book.setValue(author, forKey: "author")
        try other.save()
        let child = tree.child()
        child.mergePolicy = policy
        tree.root.mergePolicy = policy
        let mine = try child.existingObject(with: book.objectID)
        mine.setValue(77, forKey: "pages")
        var theirs: NSManagedObject? = try tree.root.existingObject(with: book.objectID)
        if parentHas != "values", let theirs { tree.root.refresh(theirs, mergeChanges: false) }
        if parentHas == "nothing" { theirs = nil }
        other.delete(book)
        other.delete(author)
        try other.save()
        if parentHas == "fired" {
            _ = theirs?.value(forKey: "title")
            #expect(theirs?.isDeleted == true)
        }
        try child.save()
        try tree.root.save()
        let stored = try tree.stored().all("Book")
        #expect(stored.map { $0.value(forKey: "pages") as? Int } == [77])
        #expect(stored.first?.text("title") == "Base")
        #expect(stored.first?.value(forKey: "author") == nil)
        #expect(try tree.root.all("Book").first?.value(forKey: "pages") as? Int == 77)
        #expect(!tree.root.hasChanges && theirs?.isDeleted != true)
    }

    @Test("A grandchild's to-many leaves out what its parent has deleted or moved", arguments: ["deleted", "moved"])
    func grandchild(what: String) throws {
        let tree = try ContextTree()
        let other = tree.sibling()
        let author = other.make("Author", ["name": "A"])
        let book = other.makeBook("Base")
        try other.save()
        let child = tree.child()
        let mine = try child.existingObject(with: book.objectID)
        #expect(mine.value(forKey: "author") == nil)
        book.setValue(author, forKey: "author")
        try other.save()
        if what == "deleted" {
            child.delete(mine)
        } else {
            mine.setValue(child.make("Author", ["name": "B"]), forKey: "author")
        }
        let grandchild = tree.child(of: child)
        let theirs = try grandchild.existingObject(with: author.objectID)
        #expect((theirs.value(forKey: "books") as? Set<NSManagedObject>)?.count == 0)
    }
}
