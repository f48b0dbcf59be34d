import CoreData
import Foundation
import Testing

@Suite("Merging and saving as programs do it")
@MainActor
struct MergeContractTests {
    @Test("A row that a batch request has deleted leaves the relationships of objects that are merged into")
    func batchDeletion() throws {
        let tree = try ContextTree()
        let author = tree.root.make("Author", ["name": "A"])
        let books = ["One", "Two"].map { tree.root.makeBook($0, ["author": author]) }
        try tree.root.save()
        #expect(author.members("books").count == 2)
        let request = NSBatchDeleteRequest(objectIDs: [books[0].objectID])
        request.resultType = .resultTypeObjectIDs
        let result = try tree.root.execute(request) as? NSBatchDeleteResult
        let ids = result?.result as? [NSManagedObjectID] ?? []
        #expect(ids == [books[0].objectID])
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [tree.root])
        #expect(author.titles("books") == ["Two"])
        #expect(books[0].managedObjectContext == nil)
        #expect(!tree.root.hasChanges)
        try tree.root.save()
    }

    @Test("Observers are told that what has changed was merged, and that what the context has changed itself was not")
    func markOfMerges() throws {
        let tree = try ContextTree()
        let author = tree.root.make("Author", ["name": "A"])
        try tree.root.save()
        let other = tree.sibling()
        try #require(other.all("Author").first).setValue("B", forKey: "name")
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        let changes = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: tree.root)
        tree.root.mergeChanges(fromContextDidSave: try #require(saved.last))
        let key = "NSObjectsChangedByMergeChangesKey"
        #expect(changes.last?.userInfo?[key] as? Set<NSManagedObject> == [author])
        author.setValue("C", forKey: "name")
        tree.root.processPendingChanges()
        #expect(changes.count == 2 && changes.last?.userInfo?[key] == nil)
    }

    @Test("So does an object that another context has deleted, ordered relationships and to-ones included")
    func deletionElsewhere() throws {
        let stack = try ThingStack()
        let (thing, other) = (try stack.thing("A"), try stack.thing("B"))
        let marks = (1...3).map { stack.context.make("Mark", ["label": "\($0)"]) }
        thing.setValue(NSOrderedSet(array: marks), forKey: "steps")
        thing.setValue(other, forKey: "partner")
        try stack.context.save()
        #expect((thing.value(forKey: "steps") as? NSOrderedSet)?.count == 3)
        stack.context.automaticallyMergesChangesFromParent = false
        let ids = [marks[1].objectID, other.objectID]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [stack.context])
        #expect((thing.value(forKey: "steps") as? NSOrderedSet)?.array as? [NSManagedObject] == [marks[0], marks[2]])
        #expect(thing.value(forKey: "partner") == nil)
        #expect(!stack.context.hasChanges)
    }

    @Test("An object that refers to one that was deleted elsewhere keeps its own unsaved changes, and saves")
    func changedAndDeletedElsewhere() throws {
        let tree = try ContextTree()
        let author = tree.root.make("Author", ["name": "A"])
        let book = tree.root.makeBook("One", ["author": author])
        try tree.root.save()
        book.setValue("Mine", forKey: "title")
        let other = tree.sibling()
        other.delete(try #require(try other.all("Author").first))
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        tree.root.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(book.value(forKey: "author") == nil)
        #expect(book.text("title") == "Mine")
        try tree.root.save()
        #expect(try tree.stored().all("Book", "title == 'Mine' AND author == nil").count == 1)
    }

    @Test("An observer of did save may change objects and save again")
    func saveInDidSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        let context = stack.context
        nonisolated(unsafe) let changed = thing
        nonisolated(unsafe) var failures: [any Error] = []
        let saves = Steps()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { _ in
            saves.add("save")
            guard saves.all.count == 1 else { return }
            changed.setValue("B", forKey: "name")
            do { try context.save() } catch { failures.append(error) }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        #expect(failures.isEmpty)
        #expect(saves.all.count == 2)
        #expect(!context.hasChanges)
        #expect(try stack.tree.stored().all("Thing").first?.text("name") == "B")
    }

    @Test("An object may save its context in didSave, once")
    func saveInObjectDidSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        nonisolated(unsafe) var failures: [any Error] = []
        thing.actions["didSave"] = { thing in
            guard thing.value(forKey: "name") as? String == "A" else { return }
            thing.setValue("B", forKey: "name")
            do { try thing.managedObjectContext?.save() } catch { failures.append(error) }
        }
        try stack.context.save()
        #expect(failures.isEmpty, "\(failures)")
        #expect(try stack.tree.stored().all("Thing").first?.text("name") == "B")
        #expect(!stack.context.hasChanges)
    }

    @Test("Merging one's own notification changes nothing")
    func ownNotification() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: tree.root)
        try tree.root.save()
        book.setValue("Two", forKey: "title")
        tree.root.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(book.text("title") == "Two")
        try tree.root.save()
    }

    @Test("A writer, a main child and a worker below it: what the worker saves three times is in the store")
    func threeLevels() throws {
        let tree = try ContextTree()
        let main = tree.child()
        for number in 1...3 {
            let worker = tree.child(of: main)
            let author = try worker.all("Author").first ?? worker.make("Author", ["name": "A"])
            worker.makeBook("Book \(number)", ["author": author])
            try worker.save()
            try main.save()
            try tree.root.save()
        }
        #expect(try tree.stored().all("Author").first?.members("books").count == 3)
        #expect(try main.all("Author").first?.members("books").count == 3)
    }

    @Test("An object that was deleted in a child and saved is gone from the parent's fetches before the root saves")
    func childDeletion() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let child = tree.child()
        child.delete(child.object(with: book.objectID))
        try child.save()
        #expect(try tree.root.all("Book").isEmpty && book.isDeleted)
        tree.root.rollback()
        #expect(try tree.root.all("Book") == [book])
        #expect(try child.all("Book").map(\.objectID) == [book.objectID])
    }

    @Test("A context that keeps its objects lets them go at a reset, and keeps those that come afterwards")
    func retainingAfterReset() throws {
        let tree = try ContextTree()
        tree.root.retainsRegisteredObjects = true
        for number in 1...3 { tree.root.makeBook("\(number)") }
        try tree.root.save()
        #expect(tree.root.registeredObjects.count == 3)
        tree.root.reset()
        #expect(tree.root.registeredObjects.isEmpty)
        _ = try tree.root.all("Book")
        #expect(tree.root.registeredObjects.count == 3)
    }

    @Test("An object of a reset context has no context; its values can't be had, and the context goes on")
    func afterReset() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        tree.root.reset()
        #expect(book.managedObjectContext == nil)
        #expect(try tree.root.all("Book").first !== book)
    }

    @Test("awakeFromInsert may make and relate other objects; prepareForDeletion may delete others")
    func hooks() throws {
        let stack = try ThingStack()
        let parent = try stack.thing("parent")
        let child = try stack.thing("child", ["parent": parent])
        try stack.context.save()
        parent.actions["prepareForDeletion 1"] = { thing in
            for child in thing.value(forKey: "children") as? Set<NSManagedObject> ?? [] {
                thing.managedObjectContext?.delete(child)
            }
        }
        stack.context.delete(parent)
        #expect(child.isDeleted)
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing").isEmpty)
    }

    @Test("willSave may delete its own object and insert another")
    func replacementInWillSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("old")
        try stack.context.save()
        thing.actions["willSave"] = { thing in
            guard !thing.isDeleted, let context = thing.managedObjectContext else { return }
            context.delete(thing)
            context.make("Thing", ["name": "new"])
        }
        thing.setValue("older", forKey: "name")
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing").map { $0.text("name") } == ["new"])
        #expect(!stack.context.hasChanges)
    }

    @Test("Deleting and inserting an object with the same unique value in one save replaces the row")
    func uniqueReplacement() throws {
        let tree = try ContextTree()
        let identifier = UUID()
        let old = tree.root.makeBook("old", ["identifier": identifier])
        try tree.root.save()
        tree.root.delete(old)
        tree.root.makeBook("new", ["identifier": identifier])
        try tree.root.save()
        #expect(try tree.stored().all("Book").map { $0.text("title") } == ["new"])
    }

    @Test("A context without a coordinator says so where it is used")
    func noCoordinator() throws {
        let context = NSManagedObjectContext(.privateQueue)
        let error = #expect(throws: NSError.self) { try context.performAndWait { _ = try context.all("Book") } }
        #expect(error?.localizedDescription.contains("coordinator") == true)
    }

    @Test("A deadlock of two contexts is reported in debug builds without being asked for")
    func deadlock() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try TemporaryStack()
            let (first, second) = (stack.queueContext(), stack.queueContext())
            (first.name, second.name) = ("import", "export")
            Deadlock.run(first, second)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("deadlock") && text.contains("'import'") && text.contains("'export'"), "\(text)")
    }
}
