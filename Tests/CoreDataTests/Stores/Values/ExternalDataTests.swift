import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Binary values in files beside the store")
struct ExternalDataTests {
    private static func model() throws -> NSManagedObjectModel {
        let model = try Library.model()
        (model.entitiesByName["Author"]?.attributesByName["portrait"])?.allowsExternalBinaryDataStorage = true
        return model
    }

    private static func folder(_ stack: TemporaryStack) -> URL {
        stack.folder.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
    }

    private static func files(_ stack: TemporaryStack) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder(stack).path)) ?? [])
    }

    private static let big = Data(repeating: 7, count: 200_000)

    @Test("A file is there as long as a row names it")
    func lifeOfAFile() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        let author = context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let first = Self.files(stack)
        #expect(first.count == 1)
        author.setValue(Self.big + [1], forKey: "portrait")
        try context.save()
        #expect(Self.files(stack).count == 1 && Self.files(stack).isDisjoint(with: first))
        #expect(try stack.reopened().all("Author")[0].value(forKey: "portrait") as? Data == Self.big + [1])
        author.setValue(Data([1]), forKey: "portrait")
        try context.save()
        #expect(Self.files(stack) == [])
        author.setValue(Self.big, forKey: "portrait")
        try context.save()
        context.delete(author)
        try context.save()
        #expect(Self.files(stack) == [])
    }

    @Test("A save that fails leaves no file, and takes none")
    func failedSave() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        let author = context.make("Author", ["name": "Emma", "portrait": Self.big])
        context.make("Genre", ["name": "Gothic"])
        try context.save()
        let files = Self.files(stack)
        author.setValue(Self.big + [2], forKey: "portrait")
        context.make("Genre", ["name": "Gothic"])
        #expect(throws: NSError.self) { try context.save() }
        #expect(Self.files(stack) == files)
    }

    @Test(
        "A store whose files may not be removed is destroyed in no part",
        .enabled(if: geteuid() != 0, "the superuser may remove everything"))
    func unremovable() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: stack.folder.path)
        defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stack.folder.path) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model())
        #expect(
            thrownCode { try coordinator.destroyPersistentStore(at: stack.storeURL, ofType: NSSQLiteStoreType) } == 513)
        context.reset()
        #expect(try context.all("Author").first?.value(forKey: "portrait") as? Data == Self.big)
    }

    @Test(
        "A file that is there and can't be read is an error, for copies of the store too; a missing one reads as nil",
        .enabled(if: geteuid() != 0, "the superuser may read everything"))
    func unreadable() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        let author = context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let file = try #require(Self.files(stack).first.map(Self.folder(stack).appendingPathComponent))
        let copy = stack.folder.appendingPathComponent("Copy.sqlite")
        let coordinator = stack.container.persistentStoreCoordinator
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        let reader = try stack.reopened()
        #expect(thrownText { _ = try reader.all("Author") }.contains(file.lastPathComponent))
        let uri = author.objectID.uriRepresentation()
        let known = try #require(reader.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
        #expect(thrownCode { _ = try reader.existingObject(with: known) } == 257)
        #expect(
            thrownCode {
                try coordinator.replacePersistentStore(
                    at: copy, withPersistentStoreFrom: stack.storeURL, ofType: NSSQLiteStoreType)
            } != nil)
        #expect(
            thrownCode {
                let store = try #require(coordinator.persistentStores.first)
                try coordinator.migratePersistentStore(store, to: copy, type: .sqlite)
            } == 257)
        #expect(Self.files(stack) == [file.lastPathComponent])

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect(try stack.reopened().all("Author").first?.value(forKey: "portrait") as? Data == Self.big)
        try FileManager.default.removeItem(at: file)
        #expect(try stack.reopened().all("Author").first?.value(forKey: "portrait") == nil)
    }

    @Test("The next opening removes files that no row names, and no others")
    func orphans() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let named = Self.files(stack)
        let orphan = Self.folder(stack).appendingPathComponent(UUID().uuidString)
        let other = Self.folder(stack).appendingPathComponent("notes.txt")
        try Data([1]).write(to: orphan)
        try Data([2]).write(to: other)
        _ = try stack.reopened()
        #expect(Self.files(stack) == named.union(["notes.txt"]))
    }

    @Test("The files of two stores in one folder, with one name but for the extension, stay")
    func twoStores() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let twin = stack.folder.appendingPathComponent("Library.store")
        let other = try StoreStack(twin, model: Self.model())
        other.context.make("Author", ["name": "Ada", "portrait": Self.big])
        try other.context.save()
        let files = Self.files(stack)
        #expect(files.count == 2)
        _ = try stack.reopened()
        _ = try StoreStack(twin, model: Self.model())
        #expect(Self.files(stack) == files)
    }

    @Test(
        "No row leads to a file elsewhere",
        arguments: ["../../secret.txt", "/etc/passwd", "..", "", "00000000-0000-0000-0000-00000000000g"])
    func hostileNames(name: String) throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let secret = stack.folder.appendingPathComponent("secret.txt")
        try Data("secret".utf8).write(to: secret)
        let padded = name.utf8.prefix(36) + Array(repeating: 0, count: max(0, 36 - name.utf8.count))
        let stored = ([2] + padded + [0]).map { String(format: "%02x", $0) }.joined()
        _ = try PlainSQLite.rows("UPDATE ZAUTHOR SET ZPORTRAIT = x'\(stored)'", in: stack.storeURL)
        let fresh = try stack.reopened()
        #expect(throws: NSError.self) { try fresh.all("Author") }
        #expect(FileManager.default.fileExists(atPath: secret.path))
    }

    @Test("A link in the folder isn't followed")
    func link() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let file = Self.folder(stack).appendingPathComponent(try #require(Self.files(stack).first))
        let secret = stack.folder.appendingPathComponent("secret.txt")
        try Data("secret".utf8).write(to: secret)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
        #expect(try stack.reopened().all("Author")[0].value(forKey: "portrait") == nil)
    }

    @Test("A row that is written twice, or not at all, leaves no file")
    func rowsWrittenAgain() throws {
        let model = try Self.model()
        model.entitiesByName["Author"]?.uniquenessConstraints = [["name"]]
        let stack = try TemporaryStack(model: model)
        let context = stack.context()
        let authors = ["Emma", "Ada"].map { context.make("Author", ["name": $0, "portrait": Self.big]) }
        try context.save()
        for (author, name) in zip(authors, ["Ada", "Emma"]) {
            author.setValue(name, forKey: "name")
            author.setValue(Self.big + [1], forKey: "portrait")
        }
        try context.save()
        #expect(Self.files(stack).count == 2)
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let objects = ["Emma", "Ida"].map { ["name": $0, "portrait": Self.big] as [String: Any] }
        try context.execute(NSBatchInsertRequest(entityName: "Author", objects: objects))
        #expect(Self.files(stack).count == 3)
    }

    @Test("Destroying or replacing one of two stores in one folder leaves the other its files")
    func neighbour() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        context.make("Author", ["name": "Emma", "portrait": Self.big])
        try context.save()
        let places = ["Library.store", "Source.sqlite"].map(stack.folder.appendingPathComponent)
        for place in places {
            let other = try StoreStack(place, model: Self.model())
            other.context.make("Author", ["name": "Ada", "portrait": Self.big])
            try other.context.save()
            try other.close()
        }
        let coordinator = stack.container.persistentStoreCoordinator
        func portrait() throws -> Data? { try stack.reopened().all("Author")[0].value(forKey: "portrait") as? Data }
        try coordinator.replacePersistentStore(
            at: places[0], destinationOptions: nil, withPersistentStoreFrom: places[1], sourceOptions: nil,
            type: .sqlite)
        #expect(try portrait() == Self.big)
        try coordinator.destroyPersistentStore(at: places[0], type: .sqlite, options: nil)
        #expect(try portrait() == Self.big)
    }

    @Test("A reader sees a value while others replace it, never none")
    func replacedWhileRead() throws {
        let stack = try TemporaryStack(model: Self.model())
        let context = stack.context()
        let authors = (0..<40).map { context.make("Author", ["name": "\($0)", "portrait": Self.big]) }
        try context.save()
        let coordinator = stack.container.persistentStoreCoordinator
        let ends = Atomic(false)
        let missing = Atomic(0)
        let reads = Atomic(0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !ends.load(ordering: .relaxed) {
                let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                reader.persistentStoreCoordinator = coordinator
                reader.performAndWait {
                    let found = (try? reader.all("Author")) ?? []
                    reads.add(found.count, ordering: .relaxed)
                    missing.add(found.count { $0.value(forKey: "portrait") == nil }, ordering: .relaxed)
                }
            }
            ended.signal()
        }
        for round in UInt8(0)..<15 {
            for author in authors { author.setValue(Self.big + [round], forKey: "portrait") }
            try context.save()
        }
        ends.store(true, ordering: .relaxed)
        ended.wait()
        #expect(missing.load(ordering: .relaxed) == 0)
        #expect(reads.load(ordering: .relaxed) > 0)
    }
}
