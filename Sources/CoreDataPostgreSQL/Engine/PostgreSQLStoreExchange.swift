@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// Puts another version of a store, which is made in a schema beside it, into its place: a migration that maps objects needs one.
///
/// Others may read the old version until the new one is there, and wait before they write.
struct PostgreSQLStoreExchange {
    let url: URL
    let options: [AnyHashable: Any]?

    private static let migrating = "~migrating"

    /// A place beside a store: the same database, another schema.
    static func place(besides url: URL, suffix: String = migrating) throws -> URL {
        let schema = PostgreSQLName.fitting(try PostgreSQLAddress(url).schema + suffix)
        let allowed = CharacterSet.alphanumerics
        let value = schema.addingPercentEncoding(withAllowedCharacters: allowed) ?? schema
        var parts = url.absoluteString.split(separator: "?", maxSplits: 1).map(String.init)
        let others = (parts.count > 1 ? parts.removeLast() : "").split(separator: "&").filter {
            !$0.hasPrefix("\(PostgreSQLAddress.schemaParameter)=")
        }
        let query = (others + ["\(PostgreSQLAddress.schemaParameter)=\(value)"]).joined(separator: "&")
        guard let place = URL(string: "\(parts[0])?\(query)") else {
            throw CoreDataError.make(NSMigrationError, "There is no URL for a schema besides \(url.withoutSecrets).")
        }
        return place
    }

    /// - Parameters:
    ///   - isDone: whether the store's metadata say that another process has done it meanwhile.
    ///   - make: makes the new version at the URL that it gets, and closes it.
    func run(unless isDone: ([String: Any]) -> Bool, _ make: (URL) throws -> Void) throws {
        let place = try Self.place(besides: url)
        let (address, other) = (try PostgreSQLAddress(url), try PostgreSQLAddress(place))
        let pool = PostgreSQLPool(address, options: options)
        defer { pool.close() }
        try PostgreSQLEngine.translating(NSMigrationError, at: address) {
            try pool.transaction { connection in
                try PostgreSQLMigration.limitWaiting(options, in: connection)
                let (table, new) = (PostgreSQLStoreTable(address), PostgreSQLStoreTable(other))
                try table.lock(connection)
                guard let metadata = try table.read(connection) else {
                    throw CoreDataError.make(NSPersistentStoreOpenError, "\(address.description): there is no store.")
                }
                guard !isDone(metadata) else { return }
                let tables = try table.tables(connection)
                try connection.executeScript("LOCK TABLE \(tables.joined(separator: ", ")) IN EXCLUSIVE MODE")
                // What a process has left that was ended while it migrated.
                try PostgreSQLEngine.destroy(storeAt: place, options: options)
                try make(place)
                try table.replace(by: new, in: connection)
                try connection.checkConstraints()
            }
        }
    }
}

extension PostgreSQLStoreTable {
    /// The tables of the store, as they stand in a statement.
    func tables(_ connection: PostgreSQLConnection) throws -> [SQLFragment] {
        try tableNames(connection).map(qualified)
    }

    func tableNames(_ connection: PostgreSQLConnection) throws -> [String] {
        let names = try connection.execute("SELECT unnest(\"tables\") FROM \(table)")
        return (0..<names.count).map { names.string($0, 0) }
    }

    /// Removes the store's tables, and takes those of another one of the same database instead.
    func replace(by other: PostgreSQLStoreTable, in connection: PostgreSQLConnection) throws {
        let kept = try connection.execute("SELECT \"made_schema\", \"model_version\" FROM \(table)")
        let (madeSchema, version) = (kept.bool(0, 0), kept.int8(0, 1))
        let tables = try other.tables(connection)
        try removeTables(connection)
        for name in tables {
            try connection.executeScript("ALTER TABLE \(name) SET SCHEMA \(.quoted(address.schema))")
        }
        let keys = other.qualified(PostgreSQLName.keys)
        try connection.executeScript("ALTER SEQUENCE \(keys) SET SCHEMA \(.quoted(address.schema))")
        try connection.executeScript("DROP SCHEMA \(.quoted(other.address.schema)) RESTRICT")
        var parameters = PostgreSQLParameters()
        parameters.append(madeSchema)
        // Who has the old version open is refused when it writes.
        parameters.append(version + 1)
        try connection.execute("UPDATE \(table) SET \"made_schema\" = $1, \"model_version\" = $2", parameters)
    }
}
