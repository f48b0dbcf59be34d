import CoreData
import Foundation
import Testing

@Suite("An object that a context has inserted and saved, when its parent's save is merged")
@MainActor
struct MergedOwnInsertionTests {
    @Test("is not told of as inserted once more")
    func once() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.makeBook("One")
        try child.save()
        let other = tree.root.makeBook("Two")
        let changes = try tree.root.save(mergedInto: child)
        #expect(changes.objects(.insertedObjects).map(\.objectID) == [other.objectID])
        #expect(changes.objects(.refreshedObjects).isEmpty)
        #expect(!book.isFault && !book.objectID.isTemporaryID)
    }

    @Test("has what was changed in the parent before that was saved")
    func changedInParent() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.makeBook("One")
        try child.save()
        let parents = try #require(tree.root.insertedObjects.first)
        let author = tree.root.make("Author", ["name": "A"])
        parents.setValue("Two", forKey: "title")
        parents.setValue(author, forKey: "author")
        let changes = try tree.root.save(mergedInto: child)
        #expect(changes.objects(.refreshedObjects) == [book])
        #expect(book.text("title") == "Two")
        #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") == "A")
    }

    @Test("keeps its own unsaved changes over those of the parent")
    func changedInBoth() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.makeBook("One", ["rating": 1])
        try child.save()
        try #require(tree.root.insertedObjects.first).setValue("Two", forKey: "title")
        book.setValue(5, forKey: "rating")
        _ = try tree.root.save(mergedInto: child)
        #expect(book.text("title") == "Two")
        #expect(book.value(forKey: "rating") as? Int == 5)
        #expect(book.changedValues().keys.sorted() == ["rating"])
    }

    @Test("is told of as inserted where it was deleted and inserted anew by others")
    func anew() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = child.makeBook("One")
        try child.save()
        try tree.root.save()
        tree.root.delete(tree.root.object(with: book.objectID))
        _ = try tree.root.save(mergedInto: child)
        let next = tree.root.makeBook("Two")
        let changes = try tree.root.save(mergedInto: child)
        #expect(changes.objects(.insertedObjects).map(\.objectID) == [next.objectID])
    }
}
