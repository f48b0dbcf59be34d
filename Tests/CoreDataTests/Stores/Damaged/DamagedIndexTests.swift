import CoreData
import Foundation
import Testing

@Suite("Of a SQLite store with a damaged index no copy is made that lacks objects")
struct DamagedIndexTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Library.sqlite")
    }

    /// Exchanges the root page of an index for that of an empty one.
    private func damage() throws {
        let stack = try AtomicStack(
            url, type: NSSQLiteStoreType, options: [NSSQLitePragmasOption: ["journal_mode": "delete"]])
        for number in 0..<20 { stack.context.make("Author", ["name": "\(number)"]) }
        try stack.context.save()
        try stack.close()
        let query = "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZAUTHOR' LIMIT 1"
        let page = try #require(PlainSQLite.rows(query, in: url).first?.first?.flatMap { Int($0) })
        var bytes = try Data(contentsOf: url)
        // The number of cells, and where the content of the page begins.
        bytes.replaceSubrange((page - 1) * 4096 + 3..<(page - 1) * 4096 + 7, with: [0, 0, 0x10, 0])
        try bytes.write(to: url)
    }

    private func open() throws -> AtomicStack {
        try AtomicStack(url, type: NSSQLiteStoreType, options: [NSSQLitePragmasOption: ["journal_mode": "delete"]])
    }

    @Test("by Save As, which leaves the store as it is")
    func saveAs() throws {
        try damage()
        let stack = try open()
        let copy = folder.url.appendingPathComponent("Copy")
        let error = #expect(throws: NSError.self) {
            try stack.coordinator.migratePersistentStore(
                stack.store, to: copy, options: nil, withType: NSSQLiteStoreType)
        }
        #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(try stack.context.all("Author").count == 20)
        try stack.close()
    }

    @Test("by a migration manager")
    func manager() throws {
        try damage()
        let model = try Library.model()
        let copy = folder.url.appendingPathComponent("Copy.sqlite")
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
        let error = #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: model, destinationModel: model).migrateStore(
                from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: copy,
                destinationType: NSSQLiteStoreType, destinationOptions: nil)
        }
        #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: copy.path))
    }
}
