@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB

/// The index that keeps a uniqueness constraint of an entity.
struct SQLiteUniqueIndex {
    let entity: String
    let properties: [String]
    private let table: String
    private let columns: [String]

    var name: String { SQLIdentifier.part("Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))") }

    var createStatement: SQLFragment {
        let columns = columns.map { "\(.declared($0)) COLLATE BINARY ASC" as SQLFragment }.joined(separator: ", ")
        return "CREATE UNIQUE INDEX \(.declared(name)) ON \(.declared(table)) (\(columns))"
    }

    static func all(of schema: SQLiteSchema) throws -> [SQLiteUniqueIndex] {
        try schema.entities.compactMap { $0 }.flatMap { try all(of: $0, in: schema) }
    }

    /// One for each constraint, at the entity that declares it only.
    static func all(of entity: SQLiteEntity, in schema: SQLiteSchema) throws -> [SQLiteUniqueIndex] {
        let inherited = entity.layout.superlayout?.entity.uniquenessConstraintNames ?? []
        return try entity.layout.entity.uniquenessConstraintNames.filter { !inherited.contains($0) }.map { names in
            let columns = try names.map { name in
                guard let column = schema.column(named: name, of: entity) else {
                    throw SQLiteStoreError.schema(
                        "a uniqueness constraint of \(entity.name) is on \(name), which is not a stored property")
                }
                return column
            }
            return SQLiteUniqueIndex(entity: entity.name, properties: names, table: entity.table, columns: columns)
        }
    }

    /// How many values occur more than once.
    func duplicates(in database: Database) throws -> Int {
        let columns = columns.map(SQLFragment.name)
        let isThere = columns.map { "\($0) NOT NULL" as SQLFragment }.joined(separator: " AND ")
        let groups: SQLFragment = """
            SELECT COUNT(*) FROM \(.name(table)) WHERE \(isThere) GROUP BY \(columns.joined(separator: ", ")) \
            HAVING COUNT(*) > 1
            """
        return try database.value(Int.self, "SELECT COUNT(*) FROM (\(groups))") ?? 0
    }
}
