import Foundation
import GRDB

/// The SQL functions that move binary values into and out of the form of external storage, while a migration runs.
struct SQLiteMigrationFunctions {
    private let functions: [DatabaseFunction]

    init(store: URL) {
        let external = SQLiteExternalData(store: store)
        functions = [
            DatabaseFunction(SQLiteAttributeMigration.Function.tag, argumentCount: 1, pure: true) { arguments in
                Data.fromDatabaseValue(arguments[0]).map { SQLiteExternalData.inline($0) }
            },
            DatabaseFunction(SQLiteAttributeMigration.Function.untag, argumentCount: 1) { arguments in
                guard let stored = Data.fromDatabaseValue(arguments[0]) else { return nil }
                return try stored.withUnsafeBytes { bytes -> Data? in
                    let value = try external.read(bytes) { SQLiteStoreError.error(.fileReadCorrupt, $0) }
                    switch value {
                    case .inline(let bytes): return Data(bytes)
                    case .file(let content?): return content
                    case .file(nil):
                        throw SQLiteStoreError.error(
                            .fileReadNoSuchFile, "a file with an external value is gone, so the value can't be moved")
                    }
                }
            },
        ]
    }

    func run<Value>(in database: Database, _ body: () throws -> Value) rethrows -> Value {
        for function in functions { database.add(function: function) }
        defer { for function in functions { database.remove(function: function) } }
        return try body()
    }
}
