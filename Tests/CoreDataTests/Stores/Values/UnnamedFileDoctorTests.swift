import CoreData
import Foundation
import Testing

@Suite("Repairing a store moves files away that no table names, and no others")
struct UnnamedFileDoctorTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let file: String

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Library.sqlite")
        let stack = try AtomicStack(url, type: NSSQLiteStoreType, model: try Library.model(withFiles: true))
        stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        try stack.close()
        let files = folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        file = UUID().uuidString
        try Data([1]).write(to: files.appendingPathComponent(file))
    }

    private var isInPlace: Bool {
        let place = folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA/\(file)")
        return FileManager.default.fileExists(atPath: place.path)
    }

    private func repair() throws -> [StoreFinding] {
        let model = try Library.model(withFiles: true)
        let found = try NSPersistentStoreCoordinator.examineStore(at: url, model: model)
        #expect(found.contains { $0.kind == .orphanFile && $0.subject == file })
        return try NSPersistentStoreCoordinator.repairStore(at: url, model: model).left
    }

    @Test("One that nothing names is moved")
    func unnamed() throws {
        #expect(try repair().isEmpty)
        #expect(!isInPlace)
    }

    static let mentions = [
        "'%'", "CAST('%' AS BLOB)", "x'02' || CAST('%' AS BLOB) || x'00'",
        "'a long text that has the name /some/where/% in the middle of it'", "lower('%')",
        "'an early NUL' || char(0) || '%'", "zeroblob(100000) || CAST('%' AS BLOB)",
        "CAST('<string>%</string>' AS BLOB)",
    ]

    @Test("One that any text or bytes in another table name stays, and is told", arguments: mentions)
    func otherTable(_ mention: String) throws {
        _ = try PlainSQLite.rows("CREATE TABLE \"some one's\" (\"a \"\"column\")", in: url)
        _ = try PlainSQLite.rows(
            "INSERT INTO \"some one's\" VALUES (\(mention.replacingOccurrences(of: "%", with: file)))", in: url)
        let left = try repair()
        #expect(left.count == 1 && left[0].kind == .orphanFile && left[0].message.contains("some one's"), "\(left)")
        #expect(isInPlace)
    }

    @Test("One that another attribute of the model names stays")
    func ownTable() throws {
        _ = try PlainSQLite.rows("UPDATE ZAUTHOR SET ZNAME = 'see \(file)'", in: url)
        #expect(try repair().map(\.kind) == [.orphanFile])
        #expect(isInPlace)
    }

    @Test("One in a folder that another database has, too, stays")
    func sharedFolder() throws {
        try FileManager.default.copyItem(at: url, to: folder.url.appendingPathComponent("Library.db"))
        #expect(try repair().map(\.kind) == [.orphanFile])
        #expect(isInPlace)
    }

    @Test("One of a store that is mirrored to iCloud stays")
    func mirrored() throws {
        _ = try PlainSQLite.rows("CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER)", in: url)
        #expect(try repair().map(\.kind) == [.orphanFile])
        #expect(isInPlace)
    }

    @Test("Opening the store doesn't remove one either that a longer text in another table names")
    func opening() throws {
        _ = try PlainSQLite.rows("CREATE TABLE OTHER (A)", in: url)
        _ = try PlainSQLite.rows("INSERT INTO OTHER VALUES ('somewhere/\(file)/else')", in: url)
        try AtomicStack(url, type: NSSQLiteStoreType, model: try Library.model(withFiles: true)).close()
        #expect(isInPlace)
        _ = try PlainSQLite.rows("DELETE FROM OTHER", in: url)
        try AtomicStack(url, type: NSSQLiteStoreType, model: try Library.model(withFiles: true)).close()
        #expect(!isInPlace)
    }
}
