import Foundation

/// The errors of rows that don't fit the model: each names table, column and row.
enum SQLiteRowError {
    /// - Parameter key: the row's key, where the statement has it.
    static func invalidValue(_ found: String, table: String, column: String, key: Int64?) -> NSError {
        let row = key.map { "the row \($0)" } ?? "a row"
        return SQLiteStoreError.error(.fileReadCorrupt, "\(row) of \(table) has in its column \(column) \(found)")
    }

    static func unknownEntity(_ number: Int64, table: String, key: Int64, as entity: String) -> NSError {
        SQLiteStoreError.error(
            .fileReadCorrupt,
            "the row \(key) of \(table) has the entity number \(number), which is neither \(entity)'s nor a subentity's"
        )
    }
}
