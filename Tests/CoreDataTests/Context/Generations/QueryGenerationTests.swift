import CoreData
import Foundation
import Testing

@Suite("Query generations")
struct QueryGenerationTests {
    private func stack(options: [AnyHashable: Any] = [:]) throws -> TrackedStack {
        let stack = try TrackedStack(options: options)
        for number in 0..<3 { stack.context.make("Author", ["name": "Author \(number)"]) }
        try stack.context.save()
        return stack
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.all("Author", sort: "name").compactMap { $0.text("name") }
    }

    /// Changes one author, deletes one, adds one and a book.
    private func write(_ stack: TrackedStack) throws {
        let writer = stack.anotherContext()
        let authors = try writer.all("Author", sort: "name")
        authors[0].setValue("Changed", forKey: "name")
        writer.delete(authors[1])
        writer.make("Author", ["name": "New"])
        writer.makeBook("A book", ["author": authors[2]])
        try writer.save()
    }

    private let original = ["Author 0", "Author 1", "Author 2"]

    @Test("a pinned context keeps seeing its state in every kind of read, until it moves on")
    func pinned() throws {
        let stack = try stack()
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        #expect(reader.queryGenerationToken != nil)
        #expect(try names(reader) == original)
        let ids = try reader.all("Author", sort: "name").map(\.objectID)
        try write(stack)
        #expect(try names(reader) == original)
        #expect(try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")) == 3)
        #expect(try reader.existingObject(with: ids[1]).text("name") == "Author 1")
        #expect((reader.object(with: ids[2])).members("books").isEmpty)
        let keys = NSFetchRequest<NSManagedObjectID>(entityName: "Author")
        keys.resultType = .managedObjectIDResultType
        #expect(try Set(reader.fetch(keys)) == Set(ids))
        reader.refreshAllObjects()
        #expect(try names(reader) == original)
        try reader.setQueryGenerationFrom(.current)
        reader.refreshAllObjects()
        #expect(try names(reader) == ["Author 2", "Changed", "New"])
        try reader.setQueryGenerationFrom(nil)
        #expect(reader.queryGenerationToken == nil)
    }

    @Test("a save pins the context to the state after it: what others save before it reads again isn't shown")
    func afterSave() throws {
        let stack = try stack()
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        let own = try reader.all("Author", sort: "name")
        own[2].setValue("Own", forKey: "name")
        try reader.save()
        try write(stack)
        reader.refreshAllObjects()
        #expect(try names(reader) == ["Author 0", "Author 1", "Own"])
        reader.reset()
        #expect(try names(reader) == ["Changed", "New", "Own"])
    }

    @Test("the state is taken at the first read, not when the context is pinned")
    func lazily() throws {
        let stack = try stack()
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        try write(stack)
        #expect(try names(reader) == ["Author 2", "Changed", "New"])
    }

    @Test("contexts with the same token see the same, and others the present")
    func shared() throws {
        let stack = try stack()
        let one = stack.anotherContext()
        let two = stack.anotherContext()
        try one.setQueryGenerationFrom(.current)
        #expect(try names(one) == original)
        try write(stack)
        let token = try #require(one.queryGenerationToken)
        try two.setQueryGenerationFrom(token)
        #expect(two.queryGenerationToken == token)
        #expect(try names(two) == original)
        #expect(try names(stack.anotherContext()) == ["Author 2", "Changed", "New"])
        // The token alone keeps the state.
        try one.setQueryGenerationFrom(nil)
        try two.setQueryGenerationFrom(nil)
        let three = stack.anotherContext()
        try three.setQueryGenerationFrom(token)
        #expect(try names(three) == original)
    }

    @Test("saving, resetting and merging move a pinned context on", arguments: ["save", "reset", "merge"])
    func advancing(_ way: String) throws {
        let stack = try stack()
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        #expect(try names(reader) == original)
        try write(stack)
        let token = reader.queryGenerationToken
        switch way {
        case "save":
            reader.make("Genre", ["name": "x"])
            nonisolated(unsafe) var posted: NSQueryGenerationToken?
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: reader, queue: nil
            ) { posted = $0.userInfo?[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken }
            defer { NotificationCenter.default.removeObserver(observer) }
            try reader.save()
            #expect(posted != nil && posted == reader.queryGenerationToken)
        case "reset": reader.reset()
        default:
            reader.mergeChanges(
                fromContextDidSave: try #require(try stack.history().last).objectIDNotification())
        }
        #expect(reader.queryGenerationToken != nil && reader.queryGenerationToken != token)
        reader.refreshAllObjects()
        #expect(try names(reader) == ["Author 2", "Changed", "New"])
    }

    @Test("a long value that others replace can still be read")
    func externalValues() throws {
        let stack = try TrackedStack(model: Library.model(withFiles: true))
        let author = stack.context.make("Author", ["name": "A", "portrait": Data(repeating: 1, count: 200_000)])
        try stack.context.save()
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        _ = try names(reader)
        author.setValue(Data(repeating: 2, count: 200_000), forKey: "portrait")
        try stack.context.save()
        let pinned = try #require(try reader.all("Author").first)
        #expect((pinned.value(forKey: "portrait") as? Data)?.first == 1)
        try reader.setQueryGenerationFrom(.current)
        reader.refreshAllObjects()
        #expect((pinned.value(forKey: "portrait") as? Data)?.first == 2)
    }

    @Test("a long value that another coordinator takes away can still be read, and its file goes with the state")
    func externalValuesOfOthers() throws {
        for deletes in [false, true] {
            let stack = try TrackedStack(model: Library.model(withFiles: true))
            stack.context.make("Author", ["name": "A", "portrait": Data(repeating: 1, count: 200_000)])
            try stack.context.save()
            let reader = stack.anotherContext()
            try reader.setQueryGenerationFrom(.current)
            _ = try names(reader)
            let other = try StoreStack(stack.url, model: Library.model(withFiles: true))
            let author = try other.context.all("Author")[0]
            if deletes {
                other.context.delete(author)
            } else {
                author.setValue(Data(repeating: 2, count: 200_000), forKey: "portrait")
            }
            try other.context.save()
            // Opening cleans up.
            try StoreStack(stack.url, model: Library.model(withFiles: true)).close()
            let pinned = try #require(try reader.all("Author").first)
            #expect((pinned.value(forKey: "portrait") as? Data)?.first == 1)
            try reader.setQueryGenerationFrom(nil)
            reader.reset()
            try StoreStack(stack.url, model: Library.model(withFiles: true)).close()
            let name = stack.url.deletingPathExtension().lastPathComponent
            let folder = stack.url.deletingLastPathComponent()
                .appendingPathComponent(".\(name)_SUPPORT/_EXTERNAL_DATA")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == (deletes ? 0 : 1))
            try other.close()
        }
    }

    @Test("saving an object that others changed meanwhile is a conflict with the present row")
    func conflicts() throws {
        let stack = try stack()
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        let author = try reader.all("Author", sort: "name")[0]
        #expect(author.text("name") == "Author 0")
        try write(stack)
        author.setValue("Mine", forKey: "name")
        #expect(thrownCode { try reader.save() } == NSManagedObjectMergeError)
        reader.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try reader.save()
        #expect(try stack.rows("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK").first == ["Changed"])
    }

    @Test("stores without a write-ahead log are read as they are")
    func unsupported() throws {
        let stack = try stack(options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        #expect(try names(reader) == original)
        try write(stack)
        #expect(try names(reader) == ["Author 2", "Changed", "New"])
        let memory = try TemporaryStack(storeType: NSInMemoryStoreType)
        let context = memory.context()
        try context.setQueryGenerationFrom(.current)
        let writer = memory.context()
        writer.make("Author", ["name": "X"])
        try writer.save()
        #expect(try names(context) == ["X"])
    }

    @Test("a token of another coordinator is refused; an archive keeps only whether it is the current one")
    func foreign() throws {
        let stack = try stack()
        let other = try self.stack()
        let reader = other.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        _ = try names(reader)
        let token = try #require(reader.queryGenerationToken)
        #expect(throws: (any Error).self) { try stack.context.setQueryGenerationFrom(token) }
        for original in [token, .current] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: original, requiringSecureCoding: true)
            let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
            #expect((read == .current) == (original == .current))
        }
    }

    @Test("a removed store can't be read in any state, and its file is closed")
    func removal() throws {
        let stack = try stack()
        let reader = stack.anotherContext()
        try reader.setQueryGenerationFrom(.current)
        #expect(try names(reader) == original)
        try stack.coordinator.remove(stack.store)
        #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-wal"))
    }
}
