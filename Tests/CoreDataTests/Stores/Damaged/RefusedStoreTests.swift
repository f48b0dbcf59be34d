import CoreData
import Foundation
import Testing

@Suite("A SQLite store that is refused for its damaged metadata stays as it is, to the byte")
struct RefusedStoreTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Library.sqlite")
    }

    private static let damages = [
        "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_PLIST = 3", "UPDATE Z_METADATA SET Z_PLIST = X'62706C69'",
        "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT", "UPDATE Z_PRIMARYKEY SET Z_NAME = NULL",
    ]

    @Test("in either journal mode", arguments: damages, ["wal", "delete"])
    func unchanged(damage: String, journalMode: String) throws {
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": journalMode]]
        let stack = try AtomicStack(url, type: NSSQLiteStoreType, options: options)
        stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        try stack.close()
        _ = try PlainSQLite.rows(damage, in: url)
        let before = try contents()
        for options in [nil, options, [NSSQLitePragmasOption: ["journal_mode": "truncate"]]] {
            let error = #expect(throws: NSError.self) {
                try AtomicStack(url, type: NSSQLiteStoreType, options: options)
            }
            #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
            #expect(try contents() == before)
        }
    }

    private func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.url.appendingPathComponent($0))) })
    }
}
