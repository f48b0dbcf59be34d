import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Save As: a store's contents go on in another store")
struct SaveAsTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        NSPersistentStoreCoordinator.registerStoreClass(
            DerivedReferenceStore.self, forStoreType: DerivedReferenceStore.storeType)
    }

    private func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// Without uniqueness constraints, as every type of store takes it.
    private func open(_ name: String, type: String) throws -> AtomicStack {
        try AtomicStack(place(name), type: type, model: Library.model(for: NSXMLStoreType))
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        context.performAndWait {
            let author = context.make("Author", ["name": "Ursula"])
            context.makeBook("Tehanu", ["author": author])
            context.makeBook("Rocannon", ["author": author])
        }
        try context.performAndWait { try context.save() }
    }

    @Test("The old store leaves, the new one takes its place, and observers hear which is which")
    func notification() throws {
        let stack = try open("old", type: NSSQLiteStoreType)
        try fill(stack.context)
        let heard = Heard()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorStoresDidChange, object: stack.coordinator, queue: nil
        ) { heard.note($0.userInfo ?? [:]) }
        defer { NotificationCenter.default.removeObserver(observer) }
        let new = try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), type: .xml)
        #expect(stack.coordinator.persistentStores == [new])
        #expect(new.url == place("new") && new.type == NSXMLStoreType && new.identifier != stack.store.identifier)
        let info = try #require(heard.infos.first)
        #expect(heard.infos.count == 1)
        let changed = try #require(info[NSUUIDChangedPersistentStoresKey] as? [Any])
        #expect(changed[0] as? NSPersistentStore === stack.store && changed[1] as? NSPersistentStore === new)
        let ids = try #require(changed[2] as? [NSManagedObjectID])
        let all = try stack.context.performAndWait {
            try (stack.context.all("Author") + stack.context.all("Book")).map(\.objectID)
        }
        #expect(Set(ids) == Set(all))
        #expect(all.allSatisfy { $0.persistentStore === new })
    }

    @Test("A copy that a process didn't finish isn't opened, and the next one takes its place")
    func unfinished() throws {
        let stack = try open("old", type: NSSQLiteStoreType)
        try fill(stack.context)
        let url = place("new")
        let copy = try stack.coordinator.migratePersistentStore(stack.store, to: url, type: .sqlite)
        let mark = "OpenCoreDataUnfinishedCopy"
        #expect(copy.metadata[mark] == nil)
        try stack.coordinator.remove(copy)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(metadata[mark] == nil)
        // As a process that is killed in between leaves it.
        metadata[mark] = true
        try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url)
        let opening = { try open("new", type: NSSQLiteStoreType) }
        #expect(thrownCode { _ = try opening() } == NSPersistentStoreOpenError)
        #expect(thrownText { _ = try opening() }.contains("wasn't finished"))

        let again = try open("old", type: NSSQLiteStoreType)
        let whole = try again.coordinator.migratePersistentStore(again.store, to: url, type: .sqlite)
        #expect(whole.metadata[mark] == nil)
        #expect(try again.context.performAndWait { try again.context.all("Book").count } == 2)
        try again.coordinator.remove(whole)
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZBOOK", in: url) == [["2"]])
        try opening().close()
    }

    private final class Heard: Sendable {
        private let stored = Mutex<[UncheckedInfo]>([])
        private struct UncheckedInfo: @unchecked Sendable { let info: [AnyHashable: Any] }
        var infos: [[AnyHashable: Any]] { stored.withLock { $0.map(\.info) } }
        func note(_ info: [AnyHashable: Any]) {
            let info = UncheckedInfo(info: info)
            stored.withLock { $0.append(info) }
        }
    }

    @Test("Objects of contexts go on: unsaved changes, deletions, new objects, faults", arguments: Library.storeTypes)
    func contexts(type: String) throws {
        let stack = try open("old", type: type)
        try fill(stack.context)
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = stack.coordinator
        let seen = try other.performAndWait { try other.all("Author") }
        let context = stack.context
        try context.performAndWait {
            let books = try context.all("Book", sort: "title")
            let author = try #require(books[0].value(forKey: "author") as? NSManagedObject)
            books[0].setValue("Changed", forKey: "title")
            context.delete(books[1])
            let unsaved = context.make("Author", ["name": "New"])
            let identified = context.make("Author", ["name": "With an ID"])
            try context.obtainPermanentIDs(for: [identified])
            context.refresh(author, mergeChanges: false)
            let target = type == NSXMLStoreType ? NSPersistentStore.StoreType.sqlite : .xml
            let new = try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), type: target)
            #expect(books.allSatisfy { $0.objectID.persistentStore === new })
            #expect(unsaved.objectID.isTemporaryID)
            #expect(identified.objectID.persistentStore === new)
            #expect(author.isFault && author.text("name") == "Ursula")
            #expect(books[0].text("title") == "Changed" && books[0].isUpdated && books[1].isDeleted)
            #expect(context.object(with: books[0].objectID) === books[0])
            books[0].setValue(unsaved, forKey: "author")
            try context.save()
            #expect(try context.all("Book").map { $0.text("title") } == ["Changed"])
        }
        try other.performAndWait { () throws in
            #expect(seen.map { $0.text("name") } == ["Ursula"])
            #expect(try other.all("Author").count == 3)
            #expect(try other.all("Author", "name == 'New'").first?.titles("books") == ["Changed"])
        }
    }

    @Test("A change that somebody else has made before is still a conflict after Save As")
    func conflict() throws {
        let stack = try open("old", type: NSSQLiteStoreType)
        try fill(stack.context)
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = stack.coordinator
        let context = stack.context
        try context.performAndWait {
            let author = try #require(context.all("Author").first)
            _ = author.text("name")
            try other.performAndWait {
                try #require(other.all("Author").first).setValue("Theirs", forKey: "name")
                try other.save()
            }
            author.setValue("Mine", forKey: "name")
            try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), type: .binary)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSManagedObjectMergeError)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(author.text("name") == "Mine")
        }
    }

    @Test("A store whose reference objects are derived from values has the same IDs when it is opened again")
    func derivedReferences() throws {
        let stack = try open("old", type: NSInMemoryStoreType)
        try fill(stack.context)
        try stack.coordinator.migratePersistentStore(
            stack.store, to: place("new"), withType: DerivedReferenceStore.storeType)
        let uris = try stack.context.performAndWait {
            try (stack.context.all("Author") + stack.context.all("Book")).map { $0.objectID.uriRepresentation() }
        }
        #expect(uris.contains { $0.absoluteString.hasSuffix("Author%20Ursula") })
        let again = try open("new", type: DerivedReferenceStore.storeType)
        let found = try again.context.performAndWait {
            try (again.context.all("Author") + again.context.all("Book")).map { $0.objectID.uriRepresentation() }
        }
        #expect(Set(found) == Set(uris))
    }

    @Test("Data in files of its own goes along, and the old files stay")
    func externalData() throws {
        let model = NSManagedObjectModel()
        let picture = NSEntityDescription()
        picture.name = "Picture"
        let data = NSAttributeDescription()
        data.name = "data"
        data.attributeType = .binaryDataAttributeType
        data.isOptional = true
        data.allowsExternalBinaryDataStorage = true
        picture.properties = [data]
        model.entities = [picture]
        let stack = try AtomicStack(place("old.sqlite"), type: NSSQLiteStoreType, model: model)
        let contents = (0..<40).map { Data(repeating: UInt8($0), count: $0 * 10_000) }
        try stack.context.performAndWait {
            for data in contents { stack.context.make("Picture", ["data": data]) }
            try stack.context.save()
        }
        let oldFiles = try files("old")
        try stack.coordinator.migratePersistentStore(stack.store, to: place("new.sqlite"), type: .sqlite)
        #expect(try files("old") == oldFiles && !oldFiles.isEmpty)
        #expect(try files("new").count == oldFiles.count)
        try stack.coordinator.destroyPersistentStore(at: place("old.sqlite"), type: .sqlite)
        try stack.context.performAndWait {
            let read = try stack.context.all("Picture").compactMap { $0.value(forKey: "data") as? Data }
            #expect(Set(read) == Set(contents))
        }
    }

    private func files(_ name: String) throws -> Set<String> {
        let folder = place(".\(name)_SUPPORT/_EXTERNAL_DATA")
        return Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
    }

    @Test("A store for one configuration stays one, and its objects keep to it")
    func configuration() throws {
        let model = try Library.model(for: NSXMLStoreType)
        model.setEntities(model.entities, forConfigurationName: "Books")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSXMLStoreType, configurationName: "Books", at: place("old"), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try fill(context)
        let new = try coordinator.migratePersistentStore(store, to: place("new"), type: .sqlite)
        #expect(new.configurationName == "Books")
        #expect(try context.performAndWait { try context.all("Book").count } == 2)
    }

    @Test("Read-only is what the new store becomes, once it has been written")
    func readOnly() throws {
        for type in [NSPersistentStore.StoreType.sqlite, .xml] {
            let stack = try open("old \(type.rawValue)", type: NSInMemoryStoreType)
            try fill(stack.context)
            let new = try stack.coordinator.migratePersistentStore(
                stack.store, to: place("new \(type.rawValue)"), options: [NSReadOnlyPersistentStoreOption: true],
                type: type)
            #expect(new.isReadOnly)
            try stack.context.performAndWait { () throws in
                #expect(try stack.context.all("Book").count == 2)
                stack.context.makeBook("Never")
                #expect(throws: NSError.self) { try stack.context.save() }
            }
        }
    }

    @Test("A failure leaves the old store in use and nothing in the new place", arguments: Library.storeTypes)
    func failure(type: String) throws {
        let stack = try open("old", type: type)
        try fill(stack.context)
        NSPersistentStoreCoordinator.registerStoreClass(UnsavableStore.self, forStoreType: UnsavableStore.storeType)
        #expect(throws: UnsavableStore.Failure.self) {
            try stack.coordinator.migratePersistentStore(
                stack.store, to: place("new"), withType: UnsavableStore.storeType)
        }
        #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(stack.store, to: place("missing/folder/new"), type: .xml)
        }
        #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), withType: "No such type")
        }
        #expect(!FileManager.default.fileExists(atPath: place("new").path))
        #expect(stack.coordinator.persistentStores == [stack.store])
        try stack.context.performAndWait {
            #expect(try stack.context.all("Author").first?.titles("books") == ["Tehanu", "Rocannon"])
            stack.context.makeBook("Later")
            try stack.context.save()
        }
    }

    @Test(
        "A store that holds objects isn't saved over, and stays as it is",
        arguments: [NSSQLiteStoreType, NSXMLStoreType])
    func occupied(type: String) throws {
        let present = try open("new", type: type)
        try fill(present.context)
        try present.coordinator.remove(present.store)
        let before = try Data(contentsOf: place("new"))
        let stack = try open("old", type: NSInMemoryStoreType)
        try fill(stack.context)
        let error = #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), withType: type)
        }
        #expect(error?.localizedDescription.contains("already holds objects") == true)
        // Opening a SQLite file may move what its log holds into it.
        if type != NSSQLiteStoreType { #expect(try Data(contentsOf: place("new")) == before) }
        let kept = try open("new", type: type)
        #expect(try kept.context.performAndWait { try kept.context.all("Book").count } == 2)
        try kept.coordinator.remove(kept.store)
        try stack.coordinator.destroyPersistentStore(at: place("new"), ofType: type)
        try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), withType: type)
        #expect(try stack.context.performAndWait { try stack.context.all("Book").count } == 2)
    }

    @Test("A constraint that the old store didn't have stops it, and nothing stays in the new place")
    func brokenConstraint() throws {
        let stack = try AtomicStack(place("old"), type: NSInMemoryStoreType, model: Library.model())
        let context = stack.context
        try context.performAndWait {
            // In saves of their own, as objects of one save are compared whatever the store is.
            for _ in 0..<2 {
                context.make("Genre", ["name": "Essay"])
                try context.save()
            }
        }
        #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), type: .sqlite)
        }
        #expect(stack.coordinator.persistentStores == [stack.store])
        let left = try AtomicStack(place("new"), type: NSSQLiteStoreType, model: Library.model())
        #expect(try left.context.performAndWait { try left.context.all("Genre").count } == 0)
    }

    @Test("Thousands of objects go from SQLite to SQLite with all that leads from one to another")
    func pages() throws {
        let stack = try open("old", type: NSSQLiteStoreType)
        let context = stack.context
        try context.performAndWait {
            let genres = (0..<7).map { context.make("Genre", ["name": "\($0)"]) }
            let authors = (0..<600).map { context.make("Author", ["name": "\($0)"]) }
            for number in 0..<1200 {
                let book = context.makeBook("\(number)", ["author": authors[number % 600]])
                book.setValue(Set([genres[number % 7], genres[number % 3]]), forKey: "genres")
            }
            try context.save()
            context.reset()
        }
        try stack.coordinator.migratePersistentStore(stack.store, to: place("new"), type: .sqlite)
        try context.performAndWait {
            #expect(try context.all("Book").count == 1200)
            let books = try context.all("Book", "title == '1195'")
            #expect((books.first?.value(forKey: "author") as? NSManagedObject)?.text("name") == "595")
            #expect(Set(books.first?.members("genres").compactMap { $0.text("name") } ?? []) == ["5", "1"])
            #expect(try context.all("Author", "name == '599'").first?.titles("books") == ["599", "1199"])
            let expected = (0..<1200).filter { $0 % 7 == 5 || $0 % 3 == 5 }.count
            #expect(try context.all("Book", "ANY genres.name == '5'").count == expected)
        }
    }
}
