import CoreData
import Foundation
import Testing

@Suite("A child's merge policy decides when the parent has changed meanwhile")
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

    @Test("By default the save fails and changes nothing")
    func error() throws {
        let (tree, child, mine) = try conflict(.error)
        let error = #expect(throws: NSError.self) { try child.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.first?.sourceObject === mine)
        #expect(conflicts?.first?.persistedSnapshot?["title"] as? String == "Theirs")
        #expect(values(try tree.root.all("Book").first) == ["Theirs", "5", "10"])
        #expect(values(mine) == ["Mine", "1", "20"])
    }

    @Test(
        "The policies resolve it as they do for a store",
        arguments: [
            (NSMergePolicy.mergeByPropertyObjectTrump, ["Mine", "5", "20"]),
            (.mergeByPropertyStoreTrump, ["Theirs", "5", "20"]),
            (.overwrite, ["Mine", "1", "20"]),
            (.rollback, ["Theirs", "5", "10"]),
        ])
    func policies(policy: NSMergePolicy, expected: [String]) throws {
        let (tree, child, mine) = try conflict(policy)
        try child.save()
        #expect(values(try tree.root.all("Book").first) == expected)
        #expect(values(mine) == expected)
        #expect(!child.hasChanges)
    }

    @Test("What only the parent has changed is no conflict, whatever the policy, and stays")
    func others() throws {
        for policy in [NSMergePolicy.error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .rollback] {
            let tree = try ContextTree()
            let book = tree.root.makeBook("Base", ["copies": 1, "pages": 10])
            try tree.root.save()
            let child = tree.child()
            child.mergePolicy = policy
            let mine = try child.existingObject(with: book.objectID)
            mine.setValue(20, forKey: "pages")
            book.setValue("Theirs", forKey: "title")
            try child.save()
            #expect(values(book) == ["Theirs", "1", "20"])
            try tree.root.save()
            mine.setValue("Mine", forKey: "title")
            let outcome = Result { try child.save() }
            #expect((try? outcome.get()) != nil || policy == .error)
            #expect(values(book).first == (policy == .mergeByPropertyObjectTrump ? "Mine" : "Theirs"))
        }
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
}
