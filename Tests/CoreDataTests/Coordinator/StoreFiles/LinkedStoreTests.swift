import CoreData
import Foundation
import Testing

/// A store that is opened by a link of another name: what belongs to it lies beside the file that the link leads to.
@Suite("A SQLite store behind a symbolic link")
struct LinkedStoreTests {
    private let folder: TemporaryFolder
    private let file: URL
    private let link: URL

    init() throws {
        folder = try TemporaryFolder()
        let inner = folder.url.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        file = inner.appendingPathComponent("Store.sqlite")
        link = folder.url.appendingPathComponent("Link.sqlite")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "inner/Store.sqlite")
    }

    private func portrait(_ byte: UInt8) -> Data { Data(repeating: byte, count: 200_000) }

    private func save(_ byte: UInt8, at url: URL) throws {
        let stack = try StoreStack(url, model: Library.model(withFiles: true))
        defer { try? stack.close() }
        stack.context.make("Author", ["name": "\(byte)", "portrait": portrait(byte)])
        try stack.context.save()
    }

    private func portraits(at url: URL) throws -> [Data?] {
        let stack = try StoreStack(url, model: Library.model(withFiles: true))
        defer { try? stack.close() }
        return try stack.context.all("Author", sort: "name").map { $0.value(forKey: "portrait") as? Data }
    }

    private var isLink: Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: link.path)) == "inner/Store.sqlite"
    }

    @Test("has one folder of values, however it is opened, and the one that makes it may be the link")
    func values() throws {
        try save(1, at: link)
        try save(2, at: file)
        try save(3, at: link)
        let all: [Data?] = [portrait(1), portrait(2), portrait(3)]
        #expect(try portraits(at: link) == all)
        #expect(try portraits(at: file) == all)
        #expect(isLink)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == ["Link.sqlite", "inner"])
    }

    @Test("is replaced and destroyed as the file itself")
    func administration() throws {
        try save(1, at: link)
        let source = folder.url.appendingPathComponent("Source.sqlite")
        try save(2, at: source)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model(withFiles: true))
        try coordinator.replacePersistentStore(
            at: link, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
        #expect(try portraits(at: file) == [portrait(2)])
        let copy = folder.url.appendingPathComponent("Copy.sqlite")
        try coordinator.replacePersistentStore(at: copy, withPersistentStoreFrom: link, ofType: NSSQLiteStoreType)
        #expect(try portraits(at: copy) == [portrait(2)])
        try coordinator.destroyPersistentStore(at: link, ofType: NSSQLiteStoreType)
        #expect(isLink)
        #expect(try portraits(at: file).isEmpty)
        let values = file.deletingLastPathComponent().appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        #expect((try? FileManager.default.contentsOfDirectory(atPath: values.path)) ?? [] == [])
    }

    @Test("is migrated where it lies, in place and by way of a new file", arguments: [false, true])
    func migration(byMapping: Bool) throws {
        try save(1, at: link)
        let model = try Library.model(withFiles: true)
        let author = try #require(model.entitiesByName["Author"])
        let note = NSAttributeDescription()
        note.name = "note"
        note.attributeType = .stringAttributeType
        author.properties.append(note)
        if byMapping {
            let manager = NSMigrationManager(sourceModel: try Library.model(withFiles: true), destinationModel: model)
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: try Library.model(withFiles: true), destinationModel: model)
            let new = folder.url.appendingPathComponent("New.sqlite")
            try manager.migrateStore(
                from: link, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: new,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
            try NSPersistentStoreCoordinator(managedObjectModel: model).replacePersistentStore(
                at: link, withPersistentStoreFrom: new, ofType: NSSQLiteStoreType)
        }
        for url in [link, file] {
            let stack = try StoreStack(url, model: model)
            #expect(try stack.context.all("Author").map { $0.value(forKey: "portrait") as? Data } == [portrait(1)])
            try stack.close()
        }
        #expect(isLink)
    }
}
