@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// The columns of an ordered relationship: whose order it is, what is ordered, and the place.
struct SQLiteOrderColumns: Hashable {
    var table: String
    var owner: String
    var key: String
    var order: String
}

/// The statements that write relationships, by what they are of: a save puts the text of each together once, and runs it with many
/// keys.
enum SQLiteRelationshipStatement: Hashable {
    /// Bound to the owner.
    case deletePairsOfSource(SQLJoin)
    /// Bound to both keys.
    case deletePair(SQLJoin)
    /// Bound to both keys.
    case insertPair(SQLJoin)
    /// Bound to the owner.
    case emptyKeys(SQLForeignKey)
    /// Bound to the row and the owner.
    case emptyKey(SQLForeignKey)
    /// Bound to the owner and the row.
    case setKey(SQLForeignKey)
    /// The keys of an owner with their places. Bound to the owner.
    case places(SQLiteOrderColumns)
    /// Bound to the place, the key and the owner.
    case setPlace(SQLiteOrderColumns)
    /// Takes the place from a row without an owner. Bound to the row.
    case emptyPlace(SQLiteOrderColumns)
    /// Gives a row with an owner the last place, where it has none. Bound to the row.
    case placeLast(SQLiteOrderColumns)
    /// The same for a pair. Bound to the key and the owner.
    case placePairLast(SQLiteOrderColumns)

    var sql: SQLFragment {
        switch self {
        case .deletePairsOfSource(let join), .deletePair(let join), .insertPair(let join): sql(of: join)
        case .emptyKeys(let key), .emptyKey(let key), .setKey(let key): sql(of: key)
        case .places(let columns), .setPlace(let columns), .emptyPlace(let columns), .placeLast(let columns),
            .placePairLast(let columns):
            sql(of: columns)
        }
    }

    private func sql(of join: SQLJoin) -> SQLFragment {
        let table = SQLFragment.name(join.table)
        let (source, destination) = (SQLFragment.name(join.sourceColumn), SQLFragment.name(join.destinationColumn))
        switch self {
        case .deletePairsOfSource: return "DELETE FROM \(table) WHERE \(source) = ?"
        case .deletePair: return "DELETE FROM \(table) WHERE \(source) = ? AND \(destination) = ?"
        // Both ends may tell of the same pair.
        default: return "INSERT OR IGNORE INTO \(table) (\(source), \(destination)) VALUES (?, ?)"
        }
    }

    private func sql(of key: SQLForeignKey) -> SQLFragment {
        let (table, column) = (SQLFragment.name(key.table), SQLFragment.name(key.column))
        let order = key.orderColumn.map { ", \(.name($0)) = NULL" as SQLFragment } ?? ""
        switch self {
        case .emptyKeys: return "UPDATE \(table) SET \(column) = NULL\(order) WHERE \(column) = ?"
        case .emptyKey: return "UPDATE \(table) SET \(column) = NULL\(order) WHERE \(.key) = ? AND \(column) = ?"
        default: return "UPDATE \(table) SET \(column) = ? WHERE \(.key) = ?"
        }
    }

    private func sql(of columns: SQLiteOrderColumns) -> SQLFragment {
        let (table, order) = (SQLFragment.name(columns.table), SQLFragment.name(columns.order))
        let (owner, key) = (SQLFragment.name(columns.owner), SQLFragment.name(columns.key))
        let (beforeFirst, step) = (
            SQLFragment.number(OrderKeys.first - OrderKeys.step), SQLFragment.number(OrderKeys.step)
        )
        switch self {
        case .places: return "SELECT \(key), \(order) FROM \(table) WHERE \(owner) = ?"
        case .setPlace: return "UPDATE \(table) SET \(order) = ? WHERE \(key) = ? AND \(owner) = ?"
        case .emptyPlace:
            return "UPDATE \(table) SET \(order) = NULL WHERE \(key) = ? AND \(owner) IS NULL AND \(order) IS NOT NULL"
        case .placeLast:
            return """
                UPDATE \(table) SET \(order) = IFNULL((SELECT MAX(\(order)) FROM \(table) AS other \
                WHERE other.\(owner) = \(table).\(owner)), \(beforeFirst)) + \(step) \
                WHERE \(key) = ? AND \(owner) IS NOT NULL AND \(order) IS NULL
                """
        default:
            return """
                UPDATE \(table) SET \(order) = IFNULL((SELECT MAX(\(order)) FROM \(table) \
                WHERE \(owner) = \(.parameter(2))), \(beforeFirst)) + \(step) \
                WHERE \(key) = \(.parameter(1)) AND \(owner) = \(.parameter(2)) AND \(order) IS NULL
                """
        }
    }
}
