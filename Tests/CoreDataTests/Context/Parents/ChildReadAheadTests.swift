import CoreData
import Foundation
import Testing

@Suite("What a child reads through its parents takes as few queries as it takes them")
@MainActor
struct ChildReadAheadTests {
    /// A library, its statements, and a chain of contexts over a fresh stack: the last one is so deep below the root.
    private func descendant(of library: LibraryOfMany, depth: Int) throws -> [NSManagedObjectContext] {
        let root = NSManagedObjectContext(.mainQueue)
        root.persistentStoreCoordinator = try library.stack.reopened().persistentStoreCoordinator
        var contexts = [root]
        for _ in 0..<depth {
            let child = NSManagedObjectContext(.mainQueue)
            child.parent = contexts.last
            contexts.append(child)
        }
        _ = library.statements.takeQueries()
        return contexts
    }

    private func authors(_ configure: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }) -> NSFetchRequest<
        NSManagedObject
    > {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        configure(request)
        return request
    }

    private func expectBooks(of author: NSManagedObject) throws {
        let name = try #require(author.text("name")).dropFirst("Author ".count)
        #expect(author.titles("books") == Set((0..<3).map { "Book \(name)-\($0)" }))
    }

    @Test("The to-manys of a fetched set", arguments: [1, 2])
    func toMany(depth: Int) throws {
        let library = try LibraryOfMany(authors: 1000)
        let contexts = try descendant(of: library, depth: depth)
        let found = try #require(contexts.last).fetch(authors())
        #expect(library.statements.takeQueries().count == 1)
        for author in found { try expectBooks(of: author) }
        // 4,000 with a query for each relationship and each book.
        #expect(library.statements.takeQueries().count < 60)
    }

    @Test("The to-ones of a fetched set", arguments: [1, 2])
    func toOne(depth: Int) throws {
        let library = try LibraryOfMany(authors: 1000, booksEach: 1)
        let contexts = try descendant(of: library, depth: depth)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        let books = try #require(contexts.last).fetch(request)
        #expect(library.statements.takeQueries().count == 1)
        for (number, book) in books.enumerated() {
            #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") == "Author \(number)")
        }
        // 1,000 with a query for each.
        #expect(library.statements.takeQueries().count < 12)
    }

    @Test("What a child has made is itself when it is read ahead after the root's save")
    func ownObjects() throws {
        let library = try LibraryOfMany(authors: 10)
        let contexts = try descendant(of: library, depth: 1)
        let (root, child) = (contexts[0], contexts[1])
        let authors = (0..<20).map { child.make("Author", ["name": "New \($0)"]) }
        let books = authors.map { child.makeBook("Of it", ["author": $0]) }
        try child.save()
        child.refreshAllObjects()
        try root.save()
        root.refreshAllObjects()
        for (author, book) in zip(authors, books) { #expect(author.members("books").first === book) }
        child.refreshAllObjects()
        let found = try child.fetch(
            self.authors {
                $0.predicate = NSPredicate(format: "name BEGINSWITH 'New'")
                $0.fetchBatchSize = 6
                $0.relationshipKeyPathsForPrefetching = ["books"]
            })
        #expect(Set(found) == Set(authors))
        for author in found { #expect(author.members("books").first?.value(forKey: "author") as? NSObject === author) }
        #expect(child.registeredObjects.count == 40)
    }

    @Test("Prefetching takes one query a relationship, to-ones and paths of several included", arguments: [1, 2])
    func prefetching(depth: Int) throws {
        let library = try LibraryOfMany(authors: 200)
        let contexts = try descendant(of: library, depth: depth)
        let child = try #require(contexts.last)
        let found = try child.fetch(authors { $0.relationshipKeyPathsForPrefetching = ["books.genres"] })
        // A relationship's keys and its rows are read one after the other.
        #expect(library.statements.takeQueries().count <= 5)
        for author in found {
            try expectBooks(of: author)
            for book in author.members("books") { #expect(book.members("genres").first?.text("name") != nil) }
        }
        #expect(library.statements.takeQueries().count == 0)

        let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
        books.relationshipKeyPathsForPrefetching = ["author"]
        let others = try descendant(of: library, depth: depth)
        for book in try #require(others.last).fetch(books) {
            #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") != nil)
        }
        #expect(library.statements.takeQueries().count == 2)
    }

    @Test("Rows come a batch at a time where the request says so", arguments: [1, 2])
    func batches(depth: Int) throws {
        let library = try LibraryOfMany(authors: 100, booksEach: 0)
        let contexts = try descendant(of: library, depth: depth)
        let found = try #require(contexts.last).fetch(authors { $0.fetchBatchSize = 10 })
        #expect(library.statements.takeQueries().count == 1)
        #expect(found.count == 100 && found.allSatisfy(\.isFault))
        #expect(found[55].text("name") != nil && found[50].text("name") != nil)
        #expect(library.statements.takeQueries().count == 1)
        let names = found.map { $0.text("name") ?? "" }
        #expect(names == names.sorted() && Set(names).count == 100)
        #expect(library.statements.takeQueries().count == 9)
    }

    @Test("A batch shows what the parent has changed, inserted and deleted by then")
    func changedBatches() throws {
        let library = try LibraryOfMany(authors: 30, booksEach: 0)
        let contexts = try descendant(of: library, depth: 1)
        let (root, child) = (contexts[0], contexts[1])
        let request = authors { $0.fetchBatchSize = 4 }
        let found = try child.fetch(request)
        let mine = try root.fetch(authors())
        mine[5].setValue("Changed", forKey: "name")
        root.delete(mine[6])
        #expect(found[5].text("name") == "Changed")
        #expect(found[4].text("name") == mine[4].text("name"))
        #expect(found[6].text("name") == nil)
        root.make("Author", ["name": "Author 0a"])
        let names = try child.fetch(request).map { $0.text("name") }
        #expect(names == (try root.fetch(authors())).map { $0.text("name") })
        #expect(names.count == 30 && names.contains("Author 0a") && names.contains("Changed"))
    }

    @Test("A relationship that was read ahead shows what the parent has when it is looked at")
    func changedRelationship() throws {
        let library = try LibraryOfMany(authors: 30)
        let contexts = try descendant(of: library, depth: 1)
        let (root, child) = (contexts[0], contexts[1])
        let found = try child.fetch(authors())
        for author in found.prefix(3) { try expectBooks(of: author) }
        let mine = try root.existingObject(with: found[4].objectID)
        root.makeBook("New", ["author": mine])
        root.delete(try #require(mine.members("books").first { $0.text("title")?.hasSuffix("-0") == true }))
        root.processPendingChanges()
        let name = try #require(mine.text("name")).dropFirst("Author ".count)
        #expect(found[4].titles("books") == ["New", "Book \(name)-1", "Book \(name)-2"])
        for author in found.dropFirst(5) { try expectBooks(of: author) }
        child.reset()
        for author in try child.fetch(authors()) where author.objectID != mine.objectID { try expectBooks(of: author) }
    }

    /// Owners and elements, each of which has many of the other.
    private func manyToMany() -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let number = NSAttributeDescription()
            number.name = "number"
            number.attributeType = .integer64AttributeType
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = [number]
            return entity
        }
        let (owner, element) = (entity("Owner"), entity("Element"))
        let (elements, owners) = (NSRelationshipDescription(), NSRelationshipDescription())
        for (relationship, name, destination) in [(elements, "elements", element), (owners, "owners", owner)] {
            relationship.name = name
            relationship.destinationEntity = destination
            relationship.isOptional = true
            relationship.maxCount = 0
        }
        (elements.inverseRelationship, owners.inverseRelationship) = (owners, elements)
        owner.properties += [elements]
        element.properties += [owners]
        let model = NSManagedObjectModel()
        model.entities = [owner, element]
        return model
    }

    enum Renewal: CaseIterable {
        case automaticMerge, mergeByChild, mergeByParent, refreshByParent, refreshByChild, refreshOfObject
    }

    @Test(
        "What was read ahead of an object is read anew once its parent, or the child itself, has merged or refreshed",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType], Renewal.allCases)
    func mergedRelationship(type: String, renewal: Renewal) async throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: manyToMany())
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("store"))
        let (root, other, child) = (
            NSManagedObjectContext(.mainQueue), NSManagedObjectContext(.mainQueue), NSManagedObjectContext(.mainQueue)
        )
        for context in [root, other] { context.persistentStoreCoordinator = coordinator }
        child.parent = root
        for context in [root, child] { context.automaticallyMergesChangesFromParent = renewal == .automaticMerge }
        let owner = other.make("Owner", ["number": 0])
        let made = (0..<8).map { other.make("Element", ["number": $0, "owners": Set([owner])]) }
        try other.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Element")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let elements = try child.fetch(request)
        // Those of others are read ahead with these, the first one's too.
        for element in elements.dropFirst() { #expect(element.members("owners").count == 1) }
        nonisolated(unsafe) var note: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { note = $0 }
        owner.mutableSetValue(forKey: "elements").remove(made[0])
        try other.save()
        NotificationCenter.default.removeObserver(token)
        let saved = try #require(note)
        switch renewal {
        case .automaticMerge: for context in [root, child] { await context.perform(schedule: .enqueued) {} }
        case .mergeByChild: child.mergeChanges(fromContextDidSave: saved)
        case .mergeByParent: root.mergeChanges(fromContextDidSave: saved)
        case .refreshByParent: root.refreshAllObjects()
        case .refreshByChild: child.refreshAllObjects()
        case .refreshOfObject: child.refresh(elements[0], mergeChanges: false)
        }
        #expect(elements[0].members("owners").isEmpty)
        let mine = try #require(child.all("Owner").first)
        #expect(mine.members("elements").count == 7)
    }
}
