@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Reads the tables of persistent history, in one state of them.
struct PostgreSQLHistoryReader: SQLHistoryReader {
    private let connection: PostgreSQLConnection
    private let queries: PostgreSQLQueries
    private let tables: PostgreSQLHistoryTables
    let names: SQLHistoryTables
    let identifier: String
    private var properties: [PropertySet: Set<NSPropertyDescription>] = [:]

    private struct PropertySet: Hashable {
        let entityIndex: Int
        let names: String
    }

    init(_ connection: PostgreSQLConnection, _ queries: PostgreSQLQueries, of identifier: String) {
        self.connection = connection
        self.queries = queries
        self.identifier = identifier
        tables = PostgreSQLHistoryTables(queries.schema)
        names = SQLHistoryTables(queries.schema)
    }

    /// The number of the last transaction, deleted ones included; nil where the store keeps no history.
    static func lastTransactionNumber(_ tables: PostgreSQLHistoryTables, in connection: PostgreSQLConnection) throws
        -> Int64?
    {
        let result = try connection.execute("SELECT \"last_transaction\" FROM \(tables.history)")
        return result.count > 0 ? result.int8(0, 0) : nil
    }

    // MARK: Transactions

    var identity: @Sendable (Any) -> StoredIdentity? { queries.coder.identity }

    private func run(_ fragment: SQLFragment) throws -> PostgreSQLResult {
        try queries.run(SQLStatement(fragment), in: connection)
    }

    func headers(_ condition: SQLCondition) throws -> [HistoryTransactionHeader] {
        let result = try run(
            """
            SELECT t0."number", t0."timestamp", t0."author", t0."context", t0."bundle", t0."process" \
            FROM \(names.transactions) t0\(names.clause(condition)) ORDER BY t0."number"
            """)
        return (0..<result.count).map { row in
            func text(_ column: Int32) -> String? { result.isNull(row, column) ? nil : result.string(row, column) }
            return HistoryTransactionHeader(
                number: result.int8(row, 0), timestamp: Date(timeIntervalSinceReferenceDate: result.double(row, 1)),
                storeIdentifier: identifier, bundleIdentifier: text(4) ?? "", processName: text(5) ?? "",
                contextName: text(3), author: text(2))
        }
    }

    /// - Throws: `NSPersistentHistoryTokenExpiredError` where transactions behind a token have been deleted, or the token is
    ///   ahead of the store, as after a backup was restored.
    func checkExpiry(_ range: HistoryRange) throws {
        guard case .after(let numbers) = range, let number = numbers[identifier] else { return }
        let result = try connection.execute(
            """
            SELECT "last_transaction", (SELECT MIN("number") FROM \(tables.transactions)) FROM \(tables.history)
            """)
        guard result.count > 0 else { return }
        let last = result.int8(0, 0)
        let oldest = result.isNull(0, 1) ? last + 1 : result.int8(0, 1)
        guard number < oldest - 1 || number > last else { return }
        let reason =
            number > last
            ? "the store has only \(last)" : "the ones from \(number + 1) to \(oldest - 1) have been deleted"
        throw CoreDataError.make(
            NSPersistentHistoryTokenExpiredError,
            "The history token stands behind transaction \(number), but \(reason); read the history from its beginning."
        )
    }

    // MARK: Changes

    mutating func changes(
        _ transactions: SQLCondition, _ selected: SQLCondition, _ headers: [HistoryTransactionHeader]
    ) throws -> [Int64: [HistoryChange]] {
        let wanted = Set(headers.map(\.number))
        guard !wanted.isEmpty else { return [:] }
        var condition = selected
        if transactions != .always {
            condition = .all([.sql("c.\"transaction\" IN (\(names.numbers(of: transactions)))"), selected])
        }
        let result = try run(
            """
            SELECT c."number", c."type", c."entity", c."object", c."transaction", CAST(to_jsonb(c."properties") AS text), \
            CAST(c."tombstone" AS text) FROM \(names.changes) c\(names.clause(condition)) \
            ORDER BY c."transaction", c."number"
            """)
        var changes: [Int64: [HistoryChange]] = [:]
        for row in 0..<result.count {
            let number = result.int8(row, 4)
            guard wanted.contains(number), let change = try change(result, row) else { continue }
            changes[number, default: []].append(change)
        }
        return changes
    }

    /// The change in a row; nil for one of an entity that the model doesn't have, as older models may have had it.
    private mutating func change(_ result: PostgreSQLResult, _ row: Int32) throws -> HistoryChange? {
        guard let type = NSPersistentHistoryChangeType(rawValue: Int(result.int2(row, 1))),
            let index = queries.schema.entityIndex(forNumber: result.int2(row, 2))
        else { return nil }
        let entity = try queries.schema.entity(at: index)
        var change = HistoryChange(
            number: result.int8(row, 0), key: ObjectKey(handle: result.int8(row, 3), entityIndex: index), type: type)
        switch type {
        case .insert: break
        case .update:
            change.updatedProperties = result.isNull(row, 5) ? [] : updatedProperties(result.string(row, 5), entity)
        case .delete:
            if !result.isNull(row, 6) {
                change.tombstone = PostgreSQLTombstone.values(result.string(row, 6), of: entity)
            }
        }
        return change
    }

    /// Names that the model doesn't have are those of an older one.
    private mutating func updatedProperties(_ json: String, _ entity: PostgreSQLEntity) -> Set<NSPropertyDescription> {
        let key = PropertySet(entityIndex: entity.layout.index, names: json)
        if let known = properties[key] { return known }
        // What isn't the store's own writing names no properties.
        let list = (try? JSONDecoder().decode([String].self, from: Data(json.utf8))) ?? []
        let found = Set(list.compactMap { entity.layout.property(named: $0)?.property })
        properties[key] = found
        return found
    }
}
