@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// How the rows of one table of the new schema come to be.
struct SQLiteTableMigration {
    /// What is done with the table of the file.
    enum Way {
        /// There are no rows to take over.
        case new
        /// Old rows are copied into a new table.
        case copied
        /// The rows stay where they are; columns are added, and those that are named are computed.
        case kept(
            added: [(column: String, type: SQLiteDeclaredType)], updates: [(column: String, source: SQLiteColumnSource)]
        )
    }

    /// A column of the new table, with what it gets.
    struct Column {
        var name: String
        var source: SQLiteColumnSource
    }

    let table: SQLiteTable
    /// The table of the file, where there is one.
    let former: String?
    private(set) var way: Way
    /// The columns of the new table with what they get, `Z_PK` left out.
    let columns: [Column]
    /// The numbers of the old rows that are taken over; nil for all.
    let numbers: [Int64]?

    init(_ table: SQLiteTable, map: SQLiteMigrationMap) throws {
        self.table = table
        let pairs = map.new.members(of: table).compactMap { entity in
            map.source(of: entity).map { (new: entity, old: $0) }
        }
        guard let first = pairs.first else {
            former = nil
            way = .new
            columns = []
            numbers = nil
            return
        }
        former = first.old.table
        way = .copied
        let attributes = SQLiteAttributeMigration(map: map)
        let references = SQLiteReferenceMigration(map: map)
        var parts: [(number: Int64, columns: Set<String>, sources: [String: SQLiteColumnSource])] = []
        for (new, old) in pairs {
            guard old.table == first.old.table else {
                throw MigrationError.make(
                    "\(new.name) and \(first.new.name) would lie in one table now, and come from two: entities without a "
                        + "common ancestor can't get one.")
            }
            var sources = try attributes.columns(of: new, from: old)
            sources.merge(references.toOneColumns(of: new, from: old)) { $1 }
            sources.merge(references.oneWayColumns(of: new, from: old)) { $1 }
            parts.append((old.number, map.usedColumns(of: old), sources))
        }
        let isAlone = map.isAlone(first.old)
        let entity = Self.entityNumber(pairs.map { ($0.old.number, $0.new.number) }, isAlone: isAlone)
        let fixed = [
            Column(name: SQLiteName.entity.rawValue, source: entity),
            Column(name: SQLiteName.version.rawValue, source: SQLiteColumnSource(copying: SQLiteName.version.rawValue)),
        ]
        columns =
            fixed
            + table.columns.map { column in
                let sources = parts.map { part in
                    SQLiteColumnSource.Part(
                        number: part.number, columns: part.columns, source: part.sources[column.name] ?? .null)
                }
                return Column(name: column.name, source: SQLiteColumnSource.combine(sources))
            }
        let present = map.concrete(first.old.layout.root).map(\.number)
        let taken = Set(pairs.map(\.old.number))
        numbers = isAlone || present.allSatisfy(taken.contains) ? nil : taken.sorted()
    }

    /// Old numbers in a table of one entity decide nothing, and may be any.
    private static func entityNumber(_ numbers: [(old: Int64, new: Int64)], isAlone: Bool) -> SQLiteColumnSource {
        if numbers.allSatisfy({ $0.old == $0.new }) { return SQLiteColumnSource(copying: SQLiteName.entity.rawValue) }
        if isAlone, let only = numbers.first { return SQLiteColumnSource(.number(only.new), .nothing) }
        let cases = numbers.map { "WHEN \(.number($0.old)) THEN \(.number($0.new))" as SQLFragment }.joined(
            separator: " ")
        return SQLiteColumnSource("CASE o.\(.entity) \(cases) ELSE 0 END", .row)
    }

    /// Leaves the rows in their place where the new columns are the old ones, in the same order and of the same types, with
    /// more of them at the end at most, and nothing has to be looked up in other rows.
    ///
    /// SQLite reads missing columns at the end of a row as null, which is how its `ALTER TABLE … ADD COLUMN` works.
    ///
    /// - Parameter hasUniqueIndex: whether columns can't change row by row: a row would meet the values that others still have.
    mutating func keepRows(of physical: [SQLiteColumn], hasUniqueIndex: Bool) {
        let fixed = SQLiteName.rowColumns
        guard former != nil, physical.prefix(3).map(\.name) == fixed,
            physical.count <= table.columns.count + 3
        else { return }
        var updates: [(column: String, source: SQLiteColumnSource)] = []
        var lastAdded = 0
        for (place, column) in columns.enumerated() {
            if place >= 2, place + 1 < physical.count,
                physical[place + 1].declaredType != table.columns[place - 2].declaredType
            {
                return
            }
            let present = place + 1 < physical.count ? physical[place + 1].name : nil
            if let present, column.source.copied == present { continue }
            guard column.source.reach < .otherRows else { return }
            // A column that is left to itself holds what was in it.
            if present == nil, column.source.isNull { continue }
            if present != nil, hasUniqueIndex { return }
            updates.append((present ?? Self.addedColumn(place), column.source))
            if present == nil { lastAdded = place }
        }
        let added = physical.count - 1 <= lastAdded ? Array((physical.count - 1)...lastAdded) : []
        way = .kept(added: added.map { (Self.addedColumn($0), table.columns[$0 - 2].declaredType) }, updates: updates)
    }

    /// The name of a new column until the table gets its new text, as the old names are still in use.
    private static func addedColumn(_ place: Int) -> String { "COREDATA_NEW_\(place)" }

    /// What changes rows in their place.
    var updateStatements: [SQLFragment] {
        guard case .kept(let added, let updates) = way, let former = former.map(SQLFragment.name) else { return [] }
        var statements = added.map {
            "ALTER TABLE \(former) ADD COLUMN \(.name($0.column)) \(.word($0.type.rawValue))" as SQLFragment
        }
        if let numbers {
            statements.append("DELETE FROM \(former) WHERE \(.entity) NOT IN (\(.numbers(numbers)))")
        }
        if !updates.isEmpty {
            let assignments = updates.map { "\(.name($0.column)) = \($0.source.sql)" as SQLFragment }.joined(
                separator: ", ")
            statements.append("UPDATE \(former) AS o SET \(assignments)")
        }
        return statements
    }

    /// The condition that old rows fulfil which are taken over.
    var condition: SQLFragment {
        numbers.map { " WHERE o.\(.entity) IN (\(.numbers($0)))" } ?? ""
    }

    /// Copies the old rows.
    func copyStatement(into name: String) -> SQLFragment {
        let names = ([SQLiteName.key.rawValue] + columns.map(\.name)).map(SQLFragment.name)
        let values = ["o.\(.key)"] + columns.map(\.source.sql)
        return """
            INSERT INTO \(.name(name)) (\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) \
            FROM \(.name(former ?? "")) AS o\(condition) ORDER BY o.\(.key)
            """
    }
}
