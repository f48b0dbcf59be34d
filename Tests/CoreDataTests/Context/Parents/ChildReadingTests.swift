import CoreData
import Foundation
import Testing

@Suite("A child sees what its parent has")
@MainActor
struct ChildReadingTests {
    /// A root with a saved author of two books, one of them changed and one deleted since, and a new book.
    private func changedTree() throws -> (ContextTree, author: NSManagedObject) {
        let tree = try ContextTree()
        let root = tree.root
        let author = root.make("Author", ["name": "A"])
        let changed = root.makeBook("Old", ["author": author, "pages": 1])
        let gone = root.makeBook("Gone", ["author": author, "pages": 2])
        try root.save()
        changed.setValue("Changed", forKey: "title")
        root.delete(gone)
        root.makeBook("New", ["author": author, "pages": 3])
        return (tree, author)
    }

    private func titles(_ objects: [NSManagedObject]) -> [String?] { objects.map { $0.text("title") } }

    @Test("A fetch has the parent's unsaved changes, in order and within limits")
    func fetching() throws {
        let (tree, _) = try changedTree()
        let child = tree.child(of: tree.child())
        #expect(titles(try child.all("Book", sort: "title")) == ["Changed", "New"])
        #expect(titles(try child.all("Book", "title == 'Old'")) == [])
        #expect(titles(try child.all("Book", "author.name == 'A' AND pages > 1")) == ["New"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        request.fetchLimit = 1
        #expect(titles(try child.fetch(request)) == ["New"])
        request.fetchOffset = 1
        #expect(titles(try child.fetch(request)) == ["Changed"])
    }

    @Test("The child's own changes lie over the parent's")
    func ownChanges() throws {
        let (tree, _) = try changedTree()
        let child = tree.child()
        try child.all("Book", "title == 'New'").first?.setValue("Newer", forKey: "title")
        child.delete(try #require(child.all("Book", "title == 'Changed'").first))
        child.makeBook("Newest")
        #expect(titles(try child.all("Book", sort: "title")) == ["Newer", "Newest"])
        #expect(try child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 2)
        #expect(titles(try tree.root.all("Book", sort: "title")) == ["Changed", "New"])
    }

    @Test("Counts and IDs have the parent's changes; dictionaries show the store")
    func otherResults() throws {
        let (tree, _) = try changedTree()
        let child = tree.child()
        #expect(try child.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 2)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        #expect(Set(try child.fetch(ids)) == Set(try tree.root.all("Book").map(\.objectID)))
        let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Book")
        dictionaries.resultType = .dictionaryResultType
        dictionaries.propertiesToFetch = ["title"]
        dictionaries.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        #expect(try child.fetch(dictionaries).map { $0["title"] as? String } == ["Gone", "Old"])
    }

    @Test("A predicate may name an object of the child")
    func objectInPredicate() throws {
        let (tree, author) = try changedTree()
        let new = tree.root.make("Author", ["name": "Unsaved"])
        tree.root.makeBook("Theirs", ["author": new])
        let child = tree.child()
        for (object, expected) in [(author, ["Changed", "New"]), (new, ["Theirs"])] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "author == %@", child.object(with: object.objectID))
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            #expect(titles(try child.fetch(request)) == expected)
        }
    }

    @Test("Relationships are the parent's, new and deleted members included, and lead to the child's objects")
    func relationships() throws {
        let (tree, author) = try changedTree()
        tree.root.processPendingChanges()
        let child = tree.child()
        let mine = child.object(with: author.objectID)
        #expect(mine.titles("books") == ["Changed", "New"])
        for book in mine.members("books") {
            #expect(book.managedObjectContext === child)
            #expect(book.value(forKey: "author") as? NSManagedObject === mine)
        }
        #expect(mine.objectIDs(forRelationshipNamed: "books").count == 2)
    }

    @Test("A fault shows the parent's state when it is fired, not when it was fetched")
    func firing() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let child = tree.child()
        let fault = try #require(child.all("Book").first)
        #expect(fault.isFault)
        book.setValue("Two", forKey: "title")
        #expect(fault.text("title") == "Two")
        book.setValue("Three", forKey: "title")
        #expect(fault.text("title") == "Two")
        child.refresh(fault, mergeChanges: false)
        #expect(fault.text("title") == "Three")
    }

    @Test("refresh with merging lays the child's changes over the parent's state")
    func refreshing() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One", ["pages": 1])
        let child = tree.child()
        let mine = try child.existingObject(with: book.objectID)
        mine.setValue(99, forKey: "pages")
        book.setValue("Two", forKey: "title")
        book.setValue(2, forKey: "pages")
        child.refresh(mine, mergeChanges: true)
        #expect(mine.text("title") == "Two")
        #expect(mine.value(forKey: "pages") as? Int == 99)
        #expect(mine.hasChanges)
        child.refreshAllObjects()
        #expect(mine.value(forKey: "pages") as? Int == 99)
        try child.save()
        #expect(book.value(forKey: "pages") as? Int == 99)
    }

    @Test("What the parent has deleted doesn't exist for the child")
    func deletedInParent() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let id = book.objectID
        tree.root.delete(book)
        let child = tree.child()
        let error = #expect(throws: NSError.self) { try child.existingObject(with: id) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        let fault = child.object(with: id)
        #expect(fault.text("title") == nil)
        #expect(fault.isDeleted)
    }

    @Test("Objects are the child's own; a change is seen by neither parent nor siblings until it is saved")
    func isolation() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let (first, second) = (tree.child(), tree.child())
        let mine = try first.existingObject(with: book.objectID)
        #expect(mine !== book)
        #expect(mine.objectID == book.objectID)
        mine.setValue("Mine", forKey: "title")
        #expect(book.text("title") == "One")
        #expect(try second.existingObject(with: book.objectID).text("title") == "One")
        try first.save()
        #expect(book.text("title") == "Mine")
        #expect(try tree.child().existingObject(with: book.objectID).text("title") == "Mine")
    }

    @Test("A child's parent lives as long as the child, and the coordinator is the root's")
    func ownership() throws {
        let stack = try TemporaryStack()
        let child = NSManagedObjectContext(.mainQueue)
        weak var weakParent: NSManagedObjectContext?
        do {
            let parent = NSManagedObjectContext(.mainQueue)
            parent.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
            child.parent = parent
            weakParent = parent
        }
        #expect(weakParent != nil)
        #expect(child.parent === weakParent)
        #expect(child.persistentStoreCoordinator === stack.container.persistentStoreCoordinator)
        child.makeBook("One")
        try child.save()
        #expect(weakParent?.hasChanges == true)
    }

    @Test("Fetching in a child costs no more requests than in the parent: faults come with their rows")
    func noRowByRow() throws {
        let library = try LibraryOfMany(authors: 600, booksEach: 0)
        let parent = NSManagedObjectContext(.mainQueue)
        parent.persistentStoreCoordinator = try library.stack.reopened().persistentStoreCoordinator
        _ = try parent.all("Author", sort: "name")
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = parent
        _ = library.statements.takeQueries()
        let authors = try child.all("Author")
        #expect(library.statements.takeQueries().count == 1)
        #expect(Set(authors.compactMap { $0.text("name") }).count == 600)
        #expect(library.statements.takeQueries().isEmpty)
    }
}
