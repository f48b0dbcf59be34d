@_spi(Engine) import CoreDataRows
import CoreData
import Foundation
import Testing

@Suite(
    "Apple's stores as objects", .enabled(if: SQLiteSchemaFixtures.folder != nil, "skipped: no fixtures are present"))
struct FixtureReadingTests {
    @Test("every store that has a model opens with it")
    func models() throws {
        var withModel = 0
        for store in SQLiteSchemaFixtures.stores {
            let candidates = try FixtureModels.candidates(of: store)
            guard !candidates.isEmpty else { continue }
            #expect(try FixtureModels.model(of: store) != nil, "\(store.path): none of \(candidates.count) models fits")
            withModel += 1
        }
        #expect(withModel > 50)
    }

    @Test(
        "every entity agrees with plain SQL, row by row and value by value, and reading changes no file",
        arguments: FixtureModels.stores)
    func reading(_ store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try FixtureModels.model(of: store))
        let folder = store.url.deletingLastPathComponent()
        let before = try FixtureCopy.contents(of: folder)
        do {
            let copy = try FixtureCopy(store)
            let stack = try StoreStack(store.url, model: model, isReadOnly: true)
            var comparison = try ObjectComparison(
                context: stack.context, database: PlainDatabase(copy.url), model: model)
            try comparison.run()
            #expect(comparison.differences == [])
            let rows = SQLiteSchemaFixtures.rowCounts(of: store)
            for entity in model.entities where !entity.isAbstract && comparison.strayCount == 0 {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
                request.includesSubentities = false
                let number = comparison.layout.entities[entity.name!]!.number
                #expect(try stack.context.count(for: request) == rows[number] ?? 0, "\(entity.name!)")
            }
            try stack.close()
        }
        #expect(try FixtureCopy.contents(of: folder) == before)
    }

    @Test("opened for writing, a copy reads the same", arguments: FixtureModels.stores)
    func openingForWriting(_ store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try FixtureModels.model(of: store))
        let (copy, plain) = (try FixtureCopy(store), try FixtureCopy(store))
        let before = try PlainDatabase(plain.url).content()
        let stack = try StoreStack(copy.url, model: model)
        var comparison = try ObjectComparison(context: stack.context, database: PlainDatabase(plain.url), model: model)
        comparison.limit = 50
        try comparison.run()
        #expect(comparison.differences == [])
        try stack.close()
        #expect(try PlainDatabase(copy.url).content() == before)
    }
}

extension SQLiteSchemaFixtures {
    /// What plain SQLite says: the number of rows by `Z_ENT`.
    static func rowCounts(of store: Store) -> [Int64: Int] {
        guard let folder,
            let data = try? Data(contentsOf: folder.appendingPathComponent("oracle.json")),
            let oracle = try? JSONSerialization.jsonObject(with: data) as? [String: [String: Any]],
            let entities = oracle[store.path]?["entities"] as? [String: [String: Any]]
        else { return [:] }
        var counts: [Int64: Int] = [:]
        for (number, entity) in entities { counts[Int64(number) ?? -1] = entity["rows"] as? Int ?? 0 }
        return counts
    }
}
