import Foundation
import GRDB
import Testing

@Suite("coredata: stores that Apple's framework wrote", .enabled(if: FixtureStores.arePresent))
struct FixtureStoreTests {
    @Test("info says of each entity what plain SQL says", arguments: FixtureStores.paths)
    func info(path: String) throws {
        let store = try StoreCopy(of: path)
        let outcome = try CommandLineTool.run("info", store.path, "--json")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let info = try #require(try outcome.json() as? [String: Any])
        let entities = try #require(info["entities"] as? [[String: Any]])
        let expected = try store.read(PlainStore.init)
        #expect(info["uuid"] as? String == expected.uuid)
        #expect(entities.compactMap { $0["number"] as? Int } == expected.numbers)
        #expect(entities.compactMap { $0["rows"] as? Int } == expected.numbers.map { expected.rows[$0] ?? 0 })
    }

    @Test("fetch prints each row and value that plain SQL finds", arguments: FixtureStores.pathsWithModel)
    func fetch(path: String) throws {
        let store = try StoreCopy(of: path)
        let plain = try store.read(PlainStore.init)
        let info = try #require(try CommandLineTool.run("info", store.path, "--json").json() as? [String: Any])
        var hasEmpty = false
        for entity in try #require(info["entities"] as? [[String: Any]]) {
            // Each is a process: of the entities without rows one says what all do.
            let isEmpty = entity["rows"] as? Int == 0
            if isEmpty, hasEmpty { continue }
            hasEmpty = hasEmpty || isEmpty
            let name = try #require(entity["name"] as? String), number = try #require(entity["number"] as? Int)
            guard let table = plain.tables[number] else { continue }
            let outcome = try CommandLineTool.run("fetch", store.path, name, "--no-subentities", "--json")
            #expect(outcome.exitCode == 0, "\(name): \(outcome.errors)")
            let objects = try #require(try outcome.json() as? [[String: Any]])
            #expect(objects.count == plain.rows[number], "\(name)")
            for object in objects { try compare(object, with: table, of: name) }
        }
    }

    @Test("reading leaves every byte as it was", arguments: FixtureStores.paths)
    func nothingChanges(path: String) throws {
        let store = try StoreCopy(of: path)
        let before = try contents(of: store.folder)
        for command in [["info", store.path], ["count", store.path, "Nothing"], ["fetch", store.path, "Book"]] {
            _ = try CommandLineTool.run(command)
            #expect(try contents(of: store.folder) == before, "after \(command[0])")
        }
    }

    private func contents(of folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    private func compare(_ object: [String: Any], with table: PlainStore.Table, of entity: String) throws {
        let uri = try #require(object["objectID"] as? String)
        let key = try #require(Int64(uri.split(separator: "/p").last ?? ""))
        let row = try #require(table.rowsByKey[key], "\(uri)")
        compare(object, with: row, of: uri)
    }

    private func compare(_ values: [String: Any], with row: [String: DatabaseValue], of place: String) {
        for (name, value) in values {
            // The elements of a composite attribute have columns of their own, the attribute itself has none.
            if let elements = value as? [String: Any] {
                compare(elements, with: row, of: "\(place).\(name)")
                continue
            }
            let column = "Z" + name.uppercased()
            // Where the plain name stands for several properties, which one is which takes the model to say.
            guard let stored = row[column], row[column + "1"] == nil else { continue }
            #expect(PlainStore.agree(value, stored), "\(place).\(name) is \(value), stored is \(stored)")
        }
    }
}
