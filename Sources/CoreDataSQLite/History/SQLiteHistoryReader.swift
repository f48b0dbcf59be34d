@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite
import ManagedObjectModel

/// Reads the tables of persistent history.
package struct SQLiteHistoryReader: SQLHistoryReader {
    private let database: Database
    private let queries: SQLiteQueries
    private let shape: SQLiteHistoryShape
    package let identifier: String
    package let names: SQLHistoryTables
    private var entities: [Int64: ChangedEntity?] = [:]

    /// What reading the changes of one entity takes.
    private struct ChangedEntity {
        let layout: EntityLayout
        let bitmap: SQLiteHistoryBitmap
        let kept: [PropertyLayout]
    }

    /// - Returns: nil where the store keeps no history.
    package init?(
        _ database: Database, queries: SQLiteQueries, storeIdentifier: String, knownShape: SQLiteKnownHistoryShape
    )
        throws
    {
        shape = try knownShape.shape(in: database)
        guard shape.hasHistory else { return nil }
        self.database = database
        self.queries = queries
        identifier = storeIdentifier
        names = SQLHistoryTables(queries.schema, hasStrings: shape.hasStrings)
    }

    /// The number of the last transaction, deleted ones included; nil where the store keeps no history.
    package static func lastTransactionNumber(in database: Database, knownShape: SQLiteKnownHistoryShape) throws
        -> Int64?
    {
        guard try knownShape.shape(in: database).hasHistory else { return nil }
        return try SQLiteHistoryRecorder.lastKey(
            .transactionTable, SQLiteHistoryRecorder.Number.transaction, in: database)
    }

    // MARK: Transactions

    package var identity: @Sendable (Any) -> StoredIdentity? { queries.coder.identity }

    package func headers(_ condition: SQLCondition) throws -> [HistoryTransactionHeader] {
        let texts = try texts()
        let condition = SQLStatementBuilder.whereClause(condition)
        // Since macOS 10.14 texts are kept once, and the plain columns are empty.
        let list = SQLiteName.sharedTexts.map { column -> SQLFragment in
            shape.hasStrings ? "\(column), \(.name(column.ofSharedText))" : "\(column), NULL"
        }.joined(separator: ", ")
        let statement = SQLStatement(
            "SELECT \(.key), \(.timestamp), \(list) FROM \(.transactionTable) t0\(condition) ORDER BY \(.key)")
        var headers: [HistoryTransactionHeader] = []
        try queries.run(statement, in: database).forEachRow { row in
            func text(_ index: Int32) -> String? {
                let column = 2 + 2 * index
                if let text = ColumnCoercion.text(row, column) { return text }
                return texts[sqlite3_column_int64(row, column + 1)]
            }
            headers.append(
                HistoryTransactionHeader(
                    number: sqlite3_column_int64(row, 0),
                    timestamp: Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 1)),
                    storeIdentifier: identifier, bundleIdentifier: text(1) ?? "", processName: text(3) ?? "",
                    contextName: text(2), author: text(0)))
        }
        return headers
    }

    private func texts() throws -> [Int64: String] {
        guard shape.hasStrings else { return [:] }
        var texts: [Int64: String] = [:]
        try queries.run(SQLStatement("SELECT \(.key), \(.sharedText) FROM \(.textTable)"), in: database).forEachRow {
            row in
            if let text = ColumnCoercion.text(row, 1) { texts[sqlite3_column_int64(row, 0)] = text }
        }
        return texts
    }

    /// - Throws: `NSPersistentHistoryTokenExpiredError` where transactions behind a token have been deleted, or the token
    ///   is ahead of the store, as after a replacement of the file.
    package func checkExpiry(_ range: HistoryRange) throws {
        guard case .after(let numbers) = range, let number = numbers[identifier] else { return }
        let last = try SQLiteHistoryRecorder.lastKey(
            .transactionTable, SQLiteHistoryRecorder.Number.transaction, in: database)
        // The numbers are the file's, and may be the last that there are.
        let oldest = try database.value(Int64.self, "SELECT MIN(\(.key)) FROM \(.transactionTable)")
        let lastDeleted = oldest.map { $0 == .min ? $0 : $0 - 1 } ?? last
        guard number < lastDeleted || number > last else { return }
        let reason =
            number > last
            ? "the store has only \(last)" : "the ones from \(number + 1) to \(lastDeleted) have been deleted"
        throw SQLiteStoreError.error(
            .tokenExpired,
            "the history token stands behind transaction \(number), but \(reason); read the history from its beginning")
    }

    // MARK: Changes

    package mutating func changes(
        _ transactions: SQLCondition, _ selected: SQLCondition, _ headers: [HistoryTransactionHeader]
    ) throws -> [Int64: [HistoryChange]] {
        let wanted = Set(headers.map(\.number))
        var condition = selected
        if transactions != .always {
            condition = .all([
                .sql(
                    "\(.transactionOfChange) IN (SELECT t0.\(.key) FROM \(.transactionTable) t0 WHERE \(transactions.fragment))"
                ),
                selected,
            ])
        }
        let clause = SQLStatementBuilder.whereClause(condition)
        let kept = shape.tombstoneColumns.map { ", \(.name($0))" as SQLFragment }.joined(separator: "")
        let statement = SQLStatement(
            """
            SELECT \(.key), \(.changeType), \(.changedEntity), \(.changedKey), \(.transactionOfChange), \(.changedColumns)\(kept) \
            FROM \(.changeTable) c\(clause) ORDER BY \(.transactionOfChange), \(.key)
            """)
        var changes: [Int64: [HistoryChange]] = [:]
        try queries.run(statement, in: database).forEachRow { row in
            let number = sqlite3_column_int64(row, 4)
            guard wanted.contains(number), let change = try change(row) else { return }
            changes[number, default: []].append(change)
        }
        return changes
    }

    /// The change in a row; nil for one of an entity that the model doesn't have, as older models may have had it.
    private mutating func change(_ row: OpaquePointer) throws -> HistoryChange? {
        guard let type = NSPersistentHistoryChangeType(rawValue: Int(sqlite3_column_int64(row, 1))),
            let entity = try entity(sqlite3_column_int64(row, 2))
        else { return nil }
        return HistoryChange(
            number: sqlite3_column_int64(row, 0),
            key: ObjectKey(handle: sqlite3_column_int64(row, 3), entityIndex: entity.layout.index), type: type,
            tombstone: type == .delete ? tombstone(row, entity) : nil,
            updatedProperties: type == .update ? updatedProperties(row, entity) : nil)
    }

    private mutating func entity(_ number: Int64) throws -> ChangedEntity? {
        if let known = entities[number] { return known }
        let schema = queries.schema
        guard let index = schema.entityIndex(forNumber: number) else {
            entities[number] = .some(nil)
            return nil
        }
        let entity = try schema.entity(schema.model.entities[Int(index)])
        let changed = ChangedEntity(
            layout: entity.layout, bitmap: SQLiteHistoryBitmap(entity), kept: schema.keptProperties(of: entity))
        entities[number] = changed
        return changed
    }

    private func updatedProperties(_ row: OpaquePointer, _ entity: ChangedEntity) -> Set<NSPropertyDescription> {
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(row, 5), count: Int(sqlite3_column_bytes(row, 5)))
        return Set(entity.bitmap.decode(bytes).map { entity.layout.properties[$0].property })
    }

    private func tombstone(_ row: OpaquePointer, _ entity: ChangedEntity) -> [AnyHashable: Any]? {
        var values: [AnyHashable: Any] = [:]
        for (place, property) in zip(shape.tombstoneColumns.indices, entity.kept) {
            if let value = SQLiteTombstone.value(row, Int32(6 + place), property) { values[property.name] = value }
        }
        return values.isEmpty ? nil : values
    }
}
