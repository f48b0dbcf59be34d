@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Looks into a store: what is in it, and what is wrong.
struct PostgreSQLExamination {
    private let table: PostgreSQLStoreTable
    private let connection: PostgreSQLConnection

    init(_ table: PostgreSQLStoreTable, _ connection: PostgreSQLConnection) {
        self.table = table
        self.connection = connection
    }

    // MARK: Inventory

    func inventory(_ model: NSManagedObjectModel?) throws -> StoreInventory {
        let entities = try connection.execute(
            "SELECT \"number\", \"name\", \"table_name\" FROM \(table.qualified(PostgreSQLName.entities)) ORDER BY 1")
        var counts: [Int16: Int] = [:]
        let tables = Set((0..<entities.count).map { entities.string($0, 2) })
        for name in tables.sorted() {
            let rows = try connection.execute(
                "SELECT \"_entity\", COUNT(*) FROM \(table.qualified(name)) GROUP BY \"_entity\"")
            for row in 0..<rows.count { counts[rows.int2(row, 0)] = Int(rows.int8(row, 1)) }
        }
        let own = tables.union([PostgreSQLName.store, PostgreSQLName.entities])
        let others = try table.tableNames(connection).filter { !own.contains($0) }.sorted()
        return StoreInventory(
            entities: (0..<entities.count).map { row in
                let (number, name) = (entities.int2(row, 0), entities.string(row, 1))
                return StoreInventory.Entity(
                    name: name, number: Int64(number),
                    superentity: model?.entitiesByName[name]?.superentity?.name, rows: counts[number] ?? 0)
            },
            otherTables: try others.map { name in
                let rows = try connection.execute("SELECT COUNT(*) FROM \(table.qualified(name))")
                return StoreInventory.Table(name: name, rows: Int(rows.int8(0, 0)))
            }, hasHistory: others.contains(PostgreSQLName.history))
    }

    // MARK: Findings

    /// Something wrong, with the statement that mends it, if one does.
    struct Problem {
        let finding: StoreFinding
        var repair: SQLFragment?
    }

    func problems(_ model: NSManagedObjectModel) throws -> [Problem] {
        guard let metadata = try table.read(connection) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "\(table.address.description): there is no store.")
        }
        let configuration = model.configuration(nil, ofStoreWith: metadata)
        guard model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else {
            return try versionProblems(model, metadata)
        }
        let schema = PostgreSQLSchema(
            try PostgreSQLSchemaBuilder(
                ModelLayout.of(model), configuration: configuration, numbers: table.entityNumbers(connection)),
            namespace: table.address.schema)
        let problems = try columnProblems(schema)
        guard problems.isEmpty else { return problems }
        return try entityProblems(schema) + partProblems(schema) + keyProblems(schema)
    }

    private func versionProblems(_ model: NSManagedObjectModel, _ metadata: [String: Any]) throws -> [Problem] {
        let stored = NSManagedObjectModel.versionHashes(in: metadata) ?? [:]
        let own = model.entityVersionHashesByName
        let carried = try table.model(connection)
        return Set(stored.keys).union(own.keys).sorted().filter { stored[$0] != own[$0] }.map { name in
            var text = "the version hash in the metadata is not that of the model"
            if stored[name] == nil { text = "the entity is in the model only" }
            if own[name] == nil { text = "the entity is in the store only" }
            let detail =
                stored[name] != nil && own[name] != nil
                ? EntityDifferences.text(of: name, store: carried, model: model) : ""
            return Problem(
                finding: StoreFinding(
                    .versionHash, name, text + (detail.isEmpty ? "" : ": \(detail)"), isRepairable: false))
        }
    }

    private func columnProblems(_ schema: PostgreSQLSchema) throws -> [Problem] {
        var parameters = PostgreSQLParameters()
        parameters.append(table.address.schema)
        let result = try connection.execute(
            """
            SELECT c.relname, a.attname, CAST(a.atttypid AS bigint) FROM pg_catalog.pg_attribute a \
            JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND a.attnum > 0 AND NOT a.attisdropped
            """, parameters)
        var present: [String: [String: Int64]] = [:]
        for row in 0..<result.count {
            present[result.string(row, 0), default: [:]][result.string(row, 1)] = result.int8(row, 2)
        }
        var problems: [Problem] = []
        func check(_ table: String, _ columns: [(String, PostgreSQLType)]) {
            for (name, type) in columns where present[table]?[name] != Int64(type.rawValue) {
                let text =
                    present[table] == nil
                    ? "the table is missing"
                    : present[table]?[name] == nil
                        ? "the column is missing" : "the column isn't of the type \(type.name.text)"
                problems.append(
                    Problem(finding: StoreFinding(.schema, "\(table).\(name)", text, isRepairable: false)))
            }
        }
        for table in schema.tables {
            check(
                table.name,
                [(PostgreSQLName.key, .int8), (PostgreSQLName.entity, .int2), (PostgreSQLName.version, .int8)]
                    + table.columns.flatMap { column in
                        [(column.name, column.type)] + (column.entityColumn.map { [($0, .int2)] } ?? [])
                    } + table.linkColumns.map { ($0.name, .int8) })
        }
        for join in schema.joins {
            check(join.table, [(join.sourceColumn, .int8), (join.destinationColumn, .int8)])
        }
        return problems
    }

    /// Rows of no entity, which no fetch would find.
    private func entityProblems(_ schema: PostgreSQLSchema) throws -> [Problem] {
        try schema.tables.compactMap { table in
            let numbers = SQLFragment.numbers(schema.members(ofRootAt: table.rootIndex).map { Int64($0.number) })
            let result = try connection.execute(
                "SELECT COUNT(*) FROM \(schema.qualified(table.name)) WHERE \"_entity\" NOT IN (\(numbers))")
            let count = result.int8(0, 0)
            guard count > 0 else { return nil }
            return Problem(
                finding: StoreFinding(
                    .wrongEntity, table.name, "\(count) row(s) have the number of no entity of the table",
                    isRepairable: false))
        }
    }

    private func partProblems(_ schema: PostgreSQLSchema) throws -> [Problem] {
        var parameters = PostgreSQLParameters()
        parameters.append(table.address.schema)
        let result = try connection.execute(
            """
            SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relkind = 'i' UNION SELECT k.conname FROM pg_catalog.pg_constraint k \
            JOIN pg_catalog.pg_namespace n ON n.oid = k.connamespace WHERE n.nspname = $1
            """, parameters)
        let present = Set((0..<result.count).map { result.string($0, 0) })
        return schema.parts.filter { !present.contains($0.name) }.map { part in
            Problem(
                finding: StoreFinding(
                    .missingIndex, part.name, "the index or key of \(part.table) is missing", isRepairable: true),
                repair: part.sql)
        }
    }

    /// A key that is given out a second time would be an error of a save.
    private func keyProblems(_ schema: PostgreSQLSchema) throws -> [Problem] {
        let keys = schema.qualified(PostgreSQLName.keys)
        let last = try connection.execute("SELECT last_value, is_called FROM \(keys)")
        let end = last.bool(0, 1) ? last.int8(0, 0) + PostgreSQLSchema.keyBlockSize : 0
        var highest: Int64 = 0
        for table in schema.tables {
            let result = try connection.execute("SELECT COALESCE(MAX(\"_id\"), 0) FROM \(schema.qualified(table.name))")
            highest = max(highest, result.int8(0, 0))
        }
        guard highest > end else { return [] }
        let next = (highest / PostgreSQLSchema.keyBlockSize + 1) * PostgreSQLSchema.keyBlockSize
        return [
            Problem(
                finding: StoreFinding(
                    .keyCounter, PostgreSQLName.keys,
                    "keys up to \(highest) are in use, and \(end) is the last given out",
                    isRepairable: true),
                repair: "SELECT setval(CAST(\(.constant(keys.text)) AS regclass), \(.number(next)), true)")
        ]
    }
}

extension PostgreSQLEngine {
    package static func inventory(ofStoreAt url: URL, model: NSManagedObjectModel?) throws -> StoreInventory? {
        try at(url, nil) { pool, table in
            try pool.transaction(.snapshot) { connection in
                guard try table.read(connection) != nil else { throw noStore(at: url) }
                return try PostgreSQLExamination(table, connection).inventory(model)
            }
        }
    }

    package static func findings(inStoreAt url: URL, model: NSManagedObjectModel) throws -> [StoreFinding] {
        try at(url, nil) { pool, table in
            try pool.transaction(.snapshot) { connection in
                try PostgreSQLExamination(table, connection).problems(model).map(\.finding)
            }
        }
    }

    package static func repair(storeAt url: URL, model: NSManagedObjectModel) throws
        -> (backup: URL, left: [StoreFinding])
    {
        let backup = try PostgreSQLStoreExchange.place(besides: url, suffix: "~before-repair")
        try replace(storeAt: backup, options: nil, withCopyOf: url, sourceOptions: nil)
        try at(url, nil) { pool, table in
            try pool.transaction { connection in
                try table.lock(connection)
                for problem in try PostgreSQLExamination(table, connection).problems(model) {
                    if let repair = problem.repair { try connection.executeScript(repair) }
                }
            }
        }
        return (backup, try findings(inStoreAt: url, model: model))
    }
}
