@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

/// Records one save in the tables of persistent history, inside the save's transaction.
package struct SQLiteHistoryRecorder {
    /// The `Z_ENT`s of the tables of history.
    package enum Number {
        package static let change: Int64 = 16001
        package static let transaction: Int64 = 16002
        package static let string: Int64 = 16003
    }

    private let database: Database
    private let schema: SQLiteSchema
    let transactionKey: Int64
    private let tombstoneColumns: [String]
    private var lastChangeKey: Int64
    private let insertion: SQLiteStatement
    private var bitmaps: [Int32: SQLiteHistoryBitmap] = [:]

    /// A recorder for a write to the store; nil where it keeps no history.
    static func forStore(
        _ database: Database, schema: SQLiteSchema, author: HistoryAuthor, knownShape: SQLiteKnownHistoryShape
    ) throws -> SQLiteHistoryRecorder? {
        let shape = try knownShape.shape(in: database)
        guard shape.hasHistory else { return nil }
        return try SQLiteHistoryRecorder(database, schema: schema, author: author, shape: shape)
    }

    /// Writes the transaction's row.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for history as macOS 10.13 laid it out.
    private init(
        _ database: Database, schema: SQLiteSchema, author: HistoryAuthor, shape: SQLiteHistoryShape
    ) throws {
        self.database = database
        self.schema = schema
        guard shape.hasStrings else {
            throw SQLiteStoreError.schema(
                "the store keeps persistent history in the way of macOS 10.13, which can be read but not added to")
        }
        tombstoneColumns = shape.tombstoneColumns
        transactionKey = try Self.countableKey(.transactionTable, Number.transaction, in: database) + 1
        lastChangeKey = try Self.countableKey(.changeTable, Number.change, in: database)
        insertion = try SQLiteStatement(
            database,
            """
            INSERT INTO \(.changeTable) (\(.key), \(.entity), \(.changeType), \(.changedEntity), \(.changedKey), \
            \(.transactionOfChange), \(.changedColumns)) \
            VALUES (?, \(.number(Number.change)), ?, ?, ?, \(.number(transactionKey)), ?)
            """)
        try writeTransaction(author)
    }

    private func writeTransaction(_ author: HistoryAuthor) throws {
        // In the order of the shared texts' columns.
        let texts = [author.author, author.bundleIdentifier, author.contextName, author.processName]
        let columns = SQLiteName.sharedTexts.map { SQLFragment.name($0.ofSharedText) }.joined(separator: ", ")
        let keys = try texts.map { try $0.map { SQLBinding.int(try stringKey($0)) } ?? .null }
        try database.run(
            """
            INSERT INTO \(.transactionTable) (\(.key), \(.entity), \(columns), \(.timestamp))
            VALUES (\(bind: .int(transactionKey)), \(bind: .int(Number.transaction)), \(bind: keys[0]), \(bind: keys[1]),
                \(bind: keys[2]), \(bind: keys[3]), \(bind: .double(Date().timeIntervalSinceReferenceDate)))
            """)
        try Self.setLastKey(transactionKey, Number.transaction, in: database)
    }

    /// The key of a text in the table of texts, which has each once.
    private func stringKey(_ text: String) throws -> Int64 {
        let known: SQLFragment = "SELECT \(.key) FROM \(.textTable) WHERE \(.sharedText) = \(bind: .text(text))"
        if let key = try database.value(Int64.self, known) { return key }
        let key = try Self.countableKey(.textTable, Number.string, in: database) + 1
        try database.run(
            """
            INSERT INTO \(.textTable) (\(.key), \(.entity), \(.sharedText)) \
            VALUES (\(bind: .int(key)), \(bind: .int(Number.string)), \(bind: .text(text)))
            """)
        try Self.setLastKey(key, Number.string, in: database)
        return key
    }

    mutating func recordInsert(_ row: RowChange) throws {
        try record(.insert, row, columns: nil)
    }

    mutating func recordUpdate(_ row: RowChange) throws {
        let bitmap: SQLiteHistoryBitmap
        if let known = bitmaps[row.key.entityIndex] {
            bitmap = known
        } else {
            bitmap = SQLiteHistoryBitmap(try schema.entity(schema.model.entities[Int(row.key.entityIndex)]))
            bitmaps[row.key.entityIndex] = bitmap
        }
        try record(.update, row, columns: bitmap.encode(row))
    }

    /// Call it before the row is deleted, as history may keep some of its values.
    mutating func recordDelete(_ row: RowChange) throws {
        try record(.delete, row, columns: nil)
        let entity = try schema.entity(schema.model.entities[Int(row.key.entityIndex)])
        guard let keeping = SQLiteTombstone.keeping(schema.keptProperties(of: entity), of: entity, in: tombstoneColumns)
        else { return }
        let statement = try SQLiteStatement(database, keeping)
        statement.bind(row.key.handle, 1)
        statement.bind(lastChangeKey, 2)
        try statement.run()
    }

    private mutating func record(_ type: NSPersistentHistoryChangeType, _ row: RowChange, columns: Data?) throws {
        lastChangeKey += 1
        insertion.bind(lastChangeKey, 1)
        insertion.bind(Int64(type.rawValue), 2)
        insertion.bind(schema.number(forEntityIndex: Int(row.key.entityIndex)), 3)
        insertion.bind(row.key.handle, 4)
        if let columns { try insertion.bind(columns, 5) } else { insertion.bindNull(5) }
        try insertion.run()
    }

    /// Writes down the last key that was used.
    package func finish() throws {
        try Self.setLastKey(lastChangeKey, Number.change, in: database)
    }

    static func lastKey(_ table: SQLiteName, _ number: Int64, in database: Database) throws -> Int64 {
        try database.highestKey(ofEntity: number, in: table.rawValue)
    }

    /// The last key, where there are others left.
    private static func countableKey(_ table: SQLiteName, _ number: Int64, in database: Database) throws -> Int64 {
        let key = try lastKey(table, number, in: database)
        // Only a damaged file has such numbers; half of them leave room for any save.
        guard 0..<Int64.max / 2 ~= key else {
            throw SQLiteStoreError.error(.operation, "there are no primary keys left in the table \(table.rawValue)")
        }
        return key
    }

    private static func setLastKey(_ key: Int64, _ number: Int64, in database: Database) throws {
        try database.run(
            "UPDATE \(.entityTable) SET \(.highestKey) = \(bind: .int(key)) WHERE \(.entity) = \(bind: .int(number))")
    }
}
