@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// A path across to-ones to an attribute, as columns.
struct SQLiteDerivedPath {
    /// The tables on the way: that of the object itself, then those of the destinations.
    let tables: [String]
    /// The key column in each table but the last.
    let keys: [String]
    /// The attribute's column in the last table.
    let column: String

    /// Nil where a step has no column.
    init?(_ path: SQLDerivation.Path, from entity: SQLiteEntity, in schema: SQLiteSchema) {
        var tables = [entity.table]
        var keys: [String] = []
        var current = entity
        for toOne in path.toOnes {
            guard let key = current.column(of: toOne)?.name, let destination = toOne.destination,
                let next = schema.entities[destination.index]
            else { return nil }
            keys.append(key)
            tables.append(next.table)
            current = next
        }
        guard let column = current.column(of: path.attribute)?.name else { return nil }
        self.tables = tables
        self.keys = keys
        self.column = column
    }

    /// A scalar subquery for the attribute's value, for the row of the table at a step that has a key.
    func value(from step: Int, key: SQLFragment) -> SQLFragment {
        let last = tables.count - 1
        let column = SQLFragment.declared(column)
        func alias(_ step: Int) -> SQLFragment { .declared("s\(step)") }
        guard step < last else { return "(SELECT \(column) FROM \(.declared(tables[last])) WHERE \(.key) = \(key))" }
        var source: SQLFragment = "\(.declared(tables[step])) \(alias(step))"
        for next in (step + 1)...last {
            source += """
                 JOIN \(.declared(tables[next])) \(alias(next)) ON \(alias(next)).\(.key) = \
                \(alias(next - 1)).\(.declared(keys[next - 1]))
                """
        }
        return "(SELECT \(alias(last)).\(column) FROM \(source) WHERE \(alias(step)).\(.key) = \(key))"
    }

    /// The condition for rows of the first table that lead to a row of the table at a step.
    func leads(to key: SQLFragment, at step: Int) -> SQLFragment {
        guard step > 0 else { return "\(.key) \(key)" }
        var condition: SQLFragment = "\(.declared(keys[step - 1])) \(key)"
        for table in stride(from: step - 1, to: 0, by: -1) {
            condition =
                "\(.declared(keys[table - 1])) IN (SELECT \(.key) FROM \(.declared(tables[table])) WHERE \(condition))"
        }
        return condition
    }
}
