import CoreData
import Foundation
import ManagedObjectModel
import Testing

@testable import CoreDataPostgreSQL
@testable import RandomMigrations

@Suite("Migrations of PostgreSQL stores between generated models")
struct GeneratedMigrationTests {
    /// 300 with `COREDATA_FULL_TESTS`.
    private static let count: UInt64 = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == nil ? 40 : 300
    private static let automatic: [String: Bool] = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]

    private static func with(
        _ model: NSManagedObjectModel, _ url: URL, _ options: [String: Any] = [:],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let stack = try ServerStack(url, model, options: options)
        let context = stack.context()
        try context.performAndWait { try body(context) }
        try stack.close()
    }

    /// What another program sees of a schema: columns, keys and indexes by name, and how they are made.
    private static func catalogue(_ schema: String) throws -> [[String]] {
        try TestServer.shared.execute(
            """
            SELECT 'column', table_name, column_name, data_type, coalesce(collation_name, '') \
            FROM information_schema.columns WHERE table_schema = '\(schema)' AND table_name NOT LIKE '\\_%' \
            UNION ALL SELECT 'constraint', c.relname, k.conname, pg_get_constraintdef(k.oid), '' FROM pg_constraint k \
            JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = '\(schema)' AND k.contype IN ('f', 'u') \
            UNION ALL SELECT 'key', c.relname, '', pg_get_constraintdef(k.oid), '' FROM pg_constraint k \
            JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = '\(schema)' AND k.contype = 'p' \
            UNION ALL SELECT 'index', tablename, indexname, replace(indexdef, '\(schema)', ''), '' FROM pg_indexes \
            WHERE schemaname = '\(schema)' AND indexname NOT LIKE '%\\_pkey%' \
            UNION ALL SELECT 'tables', '', '', t, '' FROM (SELECT unnest("tables") AS t FROM "_store") u \
            UNION ALL SELECT 'entity', table_name, name, '', '' FROM "_entities" ORDER BY 1, 2, 3, 4
            """, in: schema
        ).map { row in row.map { $0.replacingOccurrences(of: schema, with: "") } }
    }

    @Test("give what a model of plain dictionaries says, and the schema of a fresh store", arguments: 0..<count)
    func migrates(seed: UInt64) throws {
        var maker = GeneratedChanges(seed: seed)
        let old = maker.model()
        let new = maker.change(old)
        let objects = GeneratedObjects(old, &maker.generator)
        let schema = TestServer.freshSchema()
        let url = try TestServer.shared.url(schema: schema)
        let hasHistory = seed.isMultiple(of: 3)
        let history: [String: Bool] = hasHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
        try Self.with(old.model(), url, history) { try objects.save(old, in: $0) }
        let (source, destination) = (old.model(), new.model(after: old))
        let difference = ModelDifference(from: source, to: destination)
        try #require(difference.allowsLightweightMigration, "seed \(seed): \(difference.obstacles)")
        try Self.with(destination, url, Self.automatic.merging(history) { $1 }) { _ in }
        let expected = objects.migrated(from: old, to: new)
        let ordered = Set(old.relationships.filter(\.near.isOrdered).map(\.number))
        try Self.with(new.model(after: old), url) { context in
            let differences = try expected.differences(new, in: context, orderedBefore: ordered)
            #expect(differences == [], "seed \(seed): \(difference.changes)")
        }
        // Where only indexes changed the store is the model's as it is.
        let isSame = source.entityVersionHashesByName == destination.entityVersionHashesByName
        let fresh = TestServer.freshSchema()
        try Self.with(isSame ? old.model() : new.model(after: old), TestServer.shared.url(schema: fresh), history) {
            _ in
        }
        let (found, wanted) = (try Self.catalogue(schema), try Self.catalogue(fresh))
        #expect(Set(found) == Set(wanted), "seed \(seed): \(difference.changes)")
        #expect(found.count == wanted.count, "seed \(seed)")
    }

    @Test("that can't be inferred are refused with the reason, and change nothing", arguments: 2000..<2000 + count / 2)
    func refuses(seed: UInt64) throws {
        var maker = GeneratedChanges(seed: seed)
        let old = maker.model()
        let objects = GeneratedObjects(old, &maker.generator)
        guard let change = maker.changeBeyondInference(old) else { return }
        let schema = TestServer.freshSchema()
        let url = try TestServer.shared.url(schema: schema)
        try Self.with(old.model(), url) { try objects.save(old, in: $0) }
        let before = try Self.catalogue(schema)
        let destination = change.model.model(after: old)
        let error = #expect(throws: NSError.self, "seed \(seed)") {
            try Self.with(destination, url, Self.automatic) { _ in }
        }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == NSInferredMappingModelError, "seed \(seed): \(change)")
        #expect(error?.localizedDescription.contains(change.reason) == true, "seed \(seed): \(change.reason)")
        #expect(try Self.catalogue(schema) == before, "seed \(seed)")
        try Self.with(old.model(), url) { context in
            let differences = try objects.differences(old, in: context, orderedBefore: [])
            #expect(differences == [], "seed \(seed)")
        }
    }
}
