@_spi(Engine) import CoreDataRows

/// Reads a database's tables of persistent history, in one state of them.
package protocol SQLHistoryReader {
    /// How the tables are called.
    var names: SQLHistoryTables { get }
    /// The store's UUID.
    var identifier: String { get }
    /// The row that an object or object ID stands for.
    var identity: @Sendable (Any) -> StoredIdentity? { get }

    /// The transactions that meet a condition over the alias t0, oldest first.
    mutating func headers(_ condition: SQLCondition) throws -> [HistoryTransactionHeader]

    /// The changes that meet a condition over the alias c, by the number of their transaction, in their order.
    ///
    /// - Parameters:
    ///   - transactions: what their transactions meet, over the alias t0.
    ///   - headers: the transactions that have been read; changes of others are left out.
    mutating func changes(
        _ transactions: SQLCondition, _ selected: SQLCondition, _ headers: [HistoryTransactionHeader]
    ) throws -> [Int64: [HistoryChange]]
}

extension SQLHistoryReader {
    /// The transactions in the range of a query, oldest first, with their changes if these are needed.
    package mutating func transactions(
        for query: HistoryQuery
    ) throws -> [(header: HistoryTransactionHeader, changes: [HistoryChange]?)] {
        let selection = SQLHistorySelection(query.selection, tables: names, identity: identity)
        let within = names.condition(query.range, of: identifier)
        let condition = SQLCondition.all([within, selection.transactions])
        let headers = try headers(condition)
        guard query.needsChanges || selection.needsChanges else { return headers.map { ($0, nil) } }
        var changes = try changes(
            selection.changes == nil ? condition : within, selection.changes ?? .always, headers)
        return headers.map { ($0, changes.removeValue(forKey: $0.number) ?? []) }
    }
}
