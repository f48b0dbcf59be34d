@_spi(Engine) import CoreDataRows

/// What a file that exists says about its own layout: `Z_PRIMARYKEY` and the columns of each table.
package struct SQLiteFileLayout: Sendable {
    /// A row of `Z_PRIMARYKEY`.
    package struct Entity: Sendable {
        package var number: Int64
        package var name: String
    }

    /// The rows of `Z_PRIMARYKEY`, by number.
    package var entities: [Entity]
    /// The names of the columns, by table. Their order says nothing: a migration appends columns.
    package var columns: [String: Set<String>]
    /// The statements that made the virtual tables.
    package var virtualTables: Set<String>

    /// Core Data's own entities (history, CloudKit mirroring) have numbers from here on.
    static let firstInternalNumber: Int64 = 16000

    /// Whether the store records persistent history.
    package var hasHistory: Bool { hasTable(.changeTable) && hasTable(.transactionTable) }
    /// Whether its texts are kept once, as since macOS 10.14.
    var keepsModernHistory: Bool { hasHistory && hasTable(.textTable) }

    private func hasTable(_ name: SQLiteName) -> Bool { columns[name.rawValue] != nil }

    /// The numbers of a model's entities in this file, by place in `names`.
    ///
    /// By name; where a renaming migration left the old name in the file (seen in SampleModel_V2), by the place among
    /// the file's entities.
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names the entity for which there is no number.
    package func numbers(of names: [String]) throws -> [Int64] {
        let own = entities.filter { $0.number > 0 && $0.number < Self.firstInternalNumber }
        let numberByName = Dictionary(own.map { ($0.name, $0.number) }, uniquingKeysWith: { first, _ in first })
        let unclaimed = Set(own.map(\.number)).subtracting(names.compactMap { numberByName[$0] })
        let ordered = own.map(\.number).sorted()
        return try names.enumerated().map { place, name in
            if let number = numberByName[name] { return number }
            guard ordered.count == names.count, unclaimed.contains(ordered[place]) else {
                throw SQLiteStoreError.schema("\(SQLiteName.entityTable.rawValue) has no row for the entity \(name)")
            }
            return ordered[place]
        }
    }

    /// Checks that the file has every table and column of a schema.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` that names what is missing.
    package func check(_ schema: SQLiteSchema) throws {
        let fixed = SQLiteName.rowColumns
        for table in schema.tables {
            try require(fixed + table.columns.map(\.name), in: table.name)
        }
        for join in schema.joinTables {
            try require([join.first, join.second] + join.orderColumns, in: join.name)
        }
    }

    private func require(_ names: [String], in table: String) throws {
        guard let present = columns[table] else {
            throw SQLiteStoreError.schema("the table \(table) is missing")
        }
        for name in names where !present.contains(name) {
            throw SQLiteStoreError.schema("the table \(table) has no column \(name)")
        }
    }
}
