import CoreData
import Foundation
import Testing

@Suite("Opening a store removes files that certainly no row names, and no others")
struct UnnamedFileTests {
    private let folder: TemporaryFolder
    private let url: URL
    private static let big = Data(repeating: 7, count: 200_000)

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Library.sqlite")
    }

    private func model(isExternal: Bool) throws -> NSManagedObjectModel {
        let model = try Library.model()
        model.entitiesByName["Author"]?.attributesByName["portrait"]?.allowsExternalBinaryDataStorage = isExternal
        return model
    }

    private var files: Set<String> {
        let path = folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA").path
        return Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [])
    }

    private func makeStore() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: true))
        stack.context.make("Author", ["name": "A", "portrait": Self.big])
        try stack.context.save()
        try stack.close()
    }

    private func makeOrphan() throws {
        let name = UUID().uuidString
        try Data([1]).write(to: folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA/\(name)"))
    }

    @Test("A model that doesn't name the files leaves them, where versions aren't compared")
    func ignoredVersions() throws {
        try makeStore()
        let before = files
        let stack = try AtomicStack(
            url, type: NSSQLiteStoreType, model: try model(isExternal: false),
            options: [NSIgnorePersistentStoreVersioningOption: true])
        try stack.close()
        #expect(files == before && before.count == 1)
    }

    @Test("So does a store whose metadata has no versions")
    func noVersions() throws {
        try makeStore()
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        metadata[NSStoreModelVersionHashesKey] = nil
        // As another tool may write them; this package's functions keep the versions.
        let list = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        let bytes = list.map { String(format: "%02x", $0) }.joined()
        _ = try PlainSQLite.rows("UPDATE Z_METADATA SET Z_PLIST = x'\(bytes)'", in: url)
        try makeOrphan()
        try AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: false)).close()
        #expect(files.count == 2)
    }

    @Test("A table that the model doesn't have keeps the files that it names")
    func otherTable() throws {
        try makeStore()
        let kept = try #require(files.first)
        _ = try PlainSQLite.rows("CREATE TABLE ZOTHER (ZDATA BLOB)", in: url)
        _ = try PlainSQLite.rows("INSERT INTO ZOTHER SELECT ZPORTRAIT FROM ZAUTHOR", in: url)
        _ = try PlainSQLite.rows("UPDATE ZAUTHOR SET ZPORTRAIT = NULL", in: url)
        try makeOrphan()
        try AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: true)).close()
        #expect(files == [kept])
    }

    @Test("Apple's tables for mirroring may name any")
    func mirrored() throws {
        try makeStore()
        _ = try PlainSQLite.rows("CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER)", in: url)
        try makeOrphan()
        try AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: true)).close()
        #expect(files.count == 2)
    }

    @Test("What no row of any table names is removed")
    func orphans() throws {
        try makeStore()
        let kept = files
        try makeOrphan()
        try AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: true)).close()
        #expect(files == kept)
    }

    @Test("Where a row's name of a file is damaged, the file stays", arguments: [-1, 3])
    func damagedName(place: Int) throws {
        try makeStore()
        let before = files
        let name = try #require(before.first)
        var bytes = try Data(contentsOf: url)
        let found = try #require(bytes.range(of: Data(name.utf8)))
        let index = found.lowerBound + place
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        try bytes.write(to: url)
        try AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: true)).close()
        #expect(files == before)
    }

    @Test("Where a page of the database is damaged, the files stay")
    func damagedPage() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: true))
        for number in 0..<200 {
            let author = stack.context.make("Author", ["name": "\(number)"])
            if number % 40 == 0 { author.setValue(Self.big, forKey: "portrait") }
        }
        try stack.context.save()
        try stack.close()
        let before = files
        let name = try #require(before.first)
        var bytes = try Data(contentsOf: url)
        let found = try #require(bytes.range(of: Data(name.utf8)))
        let sector = found.lowerBound / 512 * 512
        bytes.replaceSubrange(sector..<sector + 512, with: Data(count: 512))
        try bytes.write(to: url)
        // It may be refused, too.
        try? AtomicStack(url, type: NSSQLiteStoreType, model: try model(isExternal: true)).close()
        #expect(files == before)
    }
}
