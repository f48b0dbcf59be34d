import CoreData
import Foundation
import Testing

@Suite("An object that others save as new when a context has read it already")
@MainActor
struct MergedReadInsertionTests {
    @Test("has in a child what its parent has made of it until the save", arguments: Library.storeTypes)
    func child(type: String) throws {
        let tree = try ContextTree(storeType: type)
        let author = tree.root.make("Author", ["name": "A"])
        let book = tree.root.makeBook("One")
        let child = tree.child()
        let read = try #require(try child.all("Book").first)
        let writer = try #require(try child.all("Author").first)
        #expect(read.text("title") == "One" && writer.members("books").isEmpty)
        book.setValue("Two", forKey: "title")
        book.setValue(author, forKey: "author")
        let changes = try tree.root.save(mergedInto: child)
        #expect(changes.objects(.insertedObjects) == [read, writer])
        #expect(read.text("title") == "Two" && read.value(forKey: "author") as? NSManagedObject === writer)
        #expect(writer.members("books") == [read])
    }

    @Test("stays as it was read in a child where the parent has it so, its relationships too")
    func sameInChild() throws {
        let tree = try ContextTree()
        let author = tree.root.make("Author", ["name": "A"])
        tree.root.makeBook("One").setValue(author, forKey: "author")
        let child = tree.child()
        let read = try #require(try child.all("Author").first)
        #expect(read.members("books").map { $0.text("title") } == ["One"])
        let changes = try tree.root.save(mergedInto: child)
        #expect(changes.objects(.refreshedObjects).isEmpty && !read.isFault)
        #expect(read.members("books").map { $0.isFault } == [false])
    }

    @Test("has what it was saved with where others have deleted it and brought it back", arguments: Library.storeTypes)
    func again(type: String) throws {
        let tree = try ContextTree(storeType: type)
        let (undoing, deleting, reading) = (tree.sibling(), tree.sibling(), tree.sibling())
        let made = undoing.makeBook("One")
        try undoing.save()
        let read = reading.object(with: made.objectID)
        #expect(read.text("title") == "One")
        deleting.delete(deleting.object(with: made.objectID))
        try deleting.save()
        made.setValue("Two", forKey: "title")
        undoing.mergePolicy = NSMergePolicy.overwrite
        let changes = try undoing.save(mergedInto: reading)
        #expect(changes.objects(.insertedObjects).union(changes.objects(.refreshedObjects)) == [read])
        #expect(read.text("title") == "Two")
        read.setValue("Three", forKey: "title")
        try reading.save()
        #expect(try tree.stored().all("Book").map { $0.text("title") } == ["Three"])
    }

    @Test("has what another coordinator has saved it with")
    func elsewhere() throws {
        let tree = try ContextTree()
        let made = tree.root.makeBook("One")
        try tree.root.save()
        let other = try tree.stored()
        let read = try #require(try other.all("Book").first)
        #expect(read.text("title") == "One")
        let third = try tree.stored()
        third.delete(try #require(try third.all("Book").first))
        try third.save()
        made.setValue("Two", forKey: "title")
        tree.root.mergePolicy = NSMergePolicy.overwrite
        _ = try tree.root.save(mergedInto: other)
        #expect(read.text("title") == "Two")
    }

    @Test(
        "is read together with others, also where the context has changed them",
        arguments: [NSInsertedObjectsKey, NSUpdatedObjectsKey])
    func statements(key: String) throws {
        let record = StatementRecord()
        let stack = try TemporaryStack(observer: record.observer)
        let (context, other) = (stack.context(), stack.context())
        for number in 0..<50 { context.make("Author", ["name": "\(number)"]) }
        try context.save()
        let read = try other.all("Author")
        for (number, author) in read.enumerated() where number % 2 == 0 { author.setValue("changed", forKey: "name") }
        _ = read.map { $0.text("name") }
        _ = record.takeQueries()
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: read.map(\.objectID)], into: [other])
        #expect(record.takeQueries().count <= 2)
        #expect(read.filter { $0.text("name") == "changed" }.count == 25)
        try other.save()
        #expect(try stack.reopened().all("Author", "name == 'changed'").count == 25)
    }

    @Test("isn't read again where nothing has changed since", arguments: Library.storeTypes)
    func unchanged(type: String) throws {
        let tree = try ContextTree(storeType: type)
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: tree.root)
        tree.root.makeBook("One")
        try tree.root.save()
        let reading = tree.sibling()
        let read = try #require(try reading.all("Book").first)
        #expect(read.text("title") == "One")
        let changes = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: reading)
        reading.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(changes.objects(.insertedObjects) == [read] && changes.objects(.refreshedObjects).isEmpty)
        #expect(!read.isFault)
    }
}
