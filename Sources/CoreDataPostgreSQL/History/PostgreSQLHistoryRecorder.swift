@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// What one transaction does to objects, for persistent history: collected while it runs, and written as its last step, so that
/// the number of the transaction isn't taken, and others don't wait for it, before that.
final class PostgreSQLHistoryRecorder {
    private let schema: PostgreSQLSchema
    private let author: HistoryAuthor
    private var types: [Int64] = []
    private var entities: [Int64] = []
    private var objects: [Int64] = []
    /// The place of the changed properties' names in ``names``; -1 where there are none.
    private var sets: [Int64] = []
    /// By place of the change.
    private var tombstones: [Int: String] = [:]
    private var names: [[String]] = []
    private var setNumbers: [Shape: Int64] = [:]

    /// Which properties of which entity an update changes.
    private struct Shape: Hashable {
        let entityIndex: Int32
        let slots: [Int]
        let toManys: [Int]
    }

    /// How many changes are written by one statement.
    private static let changesAtOnce = 20_000

    init(_ schema: PostgreSQLSchema, _ author: HistoryAuthor) {
        self.schema = schema
        self.author = author
    }

    // MARK: Collecting

    func recordInserts(_ keys: some Sequence<ObjectKey>) throws {
        for key in keys { try record(.insert, key, set: -1) }
    }

    func recordUpdate(_ row: RowChange) throws {
        let shape = Shape(
            entityIndex: row.key.entityIndex, slots: row.changedSlots, toManys: row.toManys.map(\.propertyIndex))
        try record(.update, row.key, set: number(of: shape))
    }

    /// - Parameter kept: the values that are kept of some of the rows, by key.
    func recordDeletes(_ rows: [RowChange], kept: [Int64: String]) throws {
        for row in rows {
            tombstones[types.count] = kept[row.key.handle]
            try record(.delete, row.key, set: -1)
        }
    }

    private func record(_ type: NSPersistentHistoryChangeType, _ key: ObjectKey, set: Int64) throws {
        types.append(Int64(type.rawValue))
        entities.append(Int64(try schema.entity(at: key.entityIndex).number))
        objects.append(key.handle)
        sets.append(set)
    }

    private func number(of shape: Shape) -> Int64 {
        if let known = setNumbers[shape] { return known }
        let layout = schema.model.entities[Int(shape.entityIndex)]
        let slots = Set(shape.slots)
        let toManys = Set(shape.toManys)
        let changed = layout.properties.filter { property in
            property.isPersistent && (toManys.contains(property.index) || Self.lies(property, in: slots))
        }
        let number = Int64(names.count)
        names.append(changed.map { $0.name.replacing("\u{0}", with: "\u{FFFD}") })
        setNumbers[shape] = number
        return number
    }

    /// A composite attribute is one property, whichever of its elements changed.
    private static func lies(_ property: PropertyLayout, in slots: Set<Int>) -> Bool {
        (property.rowSlot >= 0 && slots.contains(property.rowSlot))
            || property.elements.contains { lies($0, in: slots) }
    }

    // MARK: Writing

    /// Takes the transaction's number, and writes it with its changes.
    ///
    /// - Parameter channel: who is told of the number when the transaction is committed; nil for no channel.
    /// - Returns: the number.
    func write(in connection: PostgreSQLConnection, notifying channel: String?) throws -> Int64 {
        let tables = PostgreSQLHistoryTables(schema)
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(types.count))
        for text in [author.author, author.contextName, author.bundleIdentifier, author.processName] {
            parameters.append(text)
        }
        let first = 0..<min(types.count, Self.changesAtOnce)
        append(first, to: &parameters)
        if let channel { parameters.append(channel) }
        let notification: SQLFragment =
            channel == nil ? "" : ", CAST(pg_notify($13, CAST(n.transaction AS text)) AS text)"
        let result = try connection.execute(
            """
            WITH n AS (UPDATE \(tables.history) SET "last_transaction" = "last_transaction" + 1, \
            "last_change" = "last_change" + $1 RETURNING "last_transaction" AS transaction, "last_change" - $1 AS change, \
            CAST(extract(epoch FROM clock_timestamp()) - 978307200 AS double precision) AS time), \
            t AS (INSERT INTO \(tables.transactions) ("number", "timestamp", "author", "context", "bundle", "process") \
            SELECT n.transaction, n.time, $2, $3, $4, $5 FROM n), \
            \(insertion(of: tables, from: "n", parameter: 6)) \
            SELECT n.transaction, n.change, n.time\(notification) FROM n
            """, parameters)
        guard result.count == 1 else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The table \(PostgreSQLName.history) has no row, from which history is numbered.")
        }
        let (transaction, change) = (result.int8(0, 0), result.int8(0, 1))
        connection.remember(
            PostgreSQLWrittenTransaction.HistoryEntry(
                transactions: tables.transactions, numbers: tables.history, number: transaction,
                timestamp: result.double(0, 2)))
        for start in stride(from: first.count, to: types.count, by: Self.changesAtOnce) {
            try write(start..<min(start + Self.changesAtOnce, types.count), transaction, change, tables, connection)
        }
        return transaction
    }

    private func write(
        _ range: Range<Int>, _ transaction: Int64, _ change: Int64, _ tables: PostgreSQLHistoryTables,
        _ connection: PostgreSQLConnection
    ) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(transaction)
        parameters.append(change + Int64(range.lowerBound))
        append(range, to: &parameters)
        try connection.execute(
            """
            WITH n AS (SELECT $1 AS transaction, $2 AS change), \
            \(insertion(of: tables, from: "n", parameter: 3)) SELECT 1
            """, parameters)
    }

    /// The part of a statement that inserts changes, which are in its parameters from this one on.
    private func insertion(of tables: PostgreSQLHistoryTables, from numbers: SQLFragment, parameter: Int)
        -> SQLFragment
    {
        let types = [PostgreSQLType](repeating: .int8Array, count: 5) + [.textArray, .textArray]
        let marks = types.enumerated().map { "CAST(\(.mark(parameter + $0)) AS \($1.name))" as SQLFragment }
        let (changes, names) = (marks[0...3] + marks[5...5], [marks[4], marks[6]])
        return """
            s AS (SELECT v.number, array_agg(v.name) AS names \
            FROM unnest(\(names.joined(separator: ", "))) AS v(number, name) GROUP BY v.number), \
            c AS (INSERT INTO \(tables.changes) ("transaction", "number", "type", "entity", "object", "properties", \
            "tombstone") SELECT \(numbers).transaction, \(numbers).change + v.place, v.type, v.entity, v.object, s.names, \
            CAST(v.tombstone AS jsonb) FROM \(numbers), unnest(\(changes.joined(separator: ", "))) \
            WITH ORDINALITY AS v(type, entity, object, number, tombstone, place) LEFT JOIN s ON s.number = v.number)
            """
    }

    /// Five arrays of numbers, and two of texts: the changes, and the names of their properties.
    private func append(_ range: Range<Int>, to parameters: inout PostgreSQLParameters) {
        parameters.append(types[range])
        parameters.append(entities[range])
        parameters.append(objects[range])
        parameters.append(sets[range])
        let used = Set(sets[range]).filter { $0 >= 0 }.sorted()
        parameters.append(used.flatMap { number in names[Int(number)].map { _ in number } })
        parameters.append(texts: tombstones.isEmpty ? range.map { _ in nil } : range.map { tombstones[$0] })
        parameters.append(texts: used.flatMap { names[Int($0)] })
    }
}
