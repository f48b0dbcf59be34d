import CoreData
import Foundation
import Testing

@Suite("What a child has done stays through what others do meanwhile")
@MainActor
struct ChildRefreshTests {
    @Test("The order that it has given to new members, through a refresh", arguments: Library.storeTypes, [1, 2])
    func order(type: String, depth: Int) throws {
        let tree = try ContextTree(model: Shelves.model(), storeType: type)
        let middle = depth == 2 ? tree.child() : tree.root
        let child = tree.child(of: middle)
        let stored = tree.root.make("Shelf", ["name": "s"])
        tree.root.make("Book", ["name": "old", "shelf": stored])
        try tree.root.save()
        let shelf = try #require(try child.all("Shelf").first)
        let books = shelf.mutableOrderedSetValue(forKey: "books")
        for name in ["third", "second", "first"] { books.insert(child.make("Book", ["name": name]), at: 0) }
        child.refresh(shelf, mergeChanges: true)
        try child.save()
        if depth == 2 { try middle.save() }
        try tree.root.save()
        let read = try #require(try tree.stored().all("Shelf").first?.value(forKey: "books") as? NSOrderedSet)
        #expect(read.compactMap { ($0 as? NSManagedObject)?.text("name") } == ["first", "second", "third", "old"])
    }

    @Test(
        "An object that it inserts again, where others have brought the row back, too", arguments: Library.storeTypes,
        ["object", "overwrite", "error"])
    func broughtBack(type: String, policy: String) throws {
        let tree = try ContextTree(model: Shelves.model(), storeType: type)
        tree.root.automaticallyMergesChangesFromParent = true
        let (child, other, deleter) = (tree.child(), tree.sibling(), tree.sibling())
        let trump: NSMergePolicy = policy == "overwrite" ? .overwrite : .mergeByPropertyObjectTrump
        for context in [child, other] { context.mergePolicy = trump }
        tree.root.mergePolicy = policy == "error" ? NSMergePolicy.error : trump
        deleter.make("Book", ["name": "b", "pages": 1])
        try deleter.save()
        let books = try [child, other].map { try #require(try $0.all("Book").first) }
        for book in books { #expect(book.text("name") == "b") }
        deleter.delete(try #require(try deleter.all("Book").first))
        try deleter.save()
        books[0].setValue("mine", forKey: "name")
        try child.save()
        books[1].setValue(2, forKey: "pages")
        try other.save()
        if policy == "error" {
            let error = #expect(throws: NSError.self) { try tree.root.save() }
            #expect(error?.code == NSManagedObjectMergeError)
        } else {
            try tree.root.save()
            #expect(try tree.stored().all("Book").map { $0.text("name") } == ["mine"])
        }
    }
}
