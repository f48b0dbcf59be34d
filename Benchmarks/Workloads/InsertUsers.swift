import CoreData
import Foundation
import GRDB
import GRDBSQLite

/// Inserts users, whose identifiers are unique by a constraint of the model, and saves them at once.
struct InsertUsers: SizedWorkload {
    var count: Int

    var name: String { "unique-\(count)" }
    var title: String { "insert \(count.formatted(.number.locale(Locale(identifier: "en_US")))) with a unique UUID" }
    var growthName: String { "unique" }
    var growthTitle: String { "insert with a unique UUID" }
    var template: StoreTemplate { .empty }
    var outcome: String? {
        """
        SELECT COUNT(*) + COUNT(DISTINCT ZIDENTIFIER) + SUM(LENGTH(ZIDENTIFIER) + LENGTH(ZNAME)) + SUM(Z_PK + Z_ENT)
            + (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'User') FROM ZUSER
        """
    }

    func plain(_ store: URL) throws -> Work {
        let database = try PlainDatabase(store)
        return {
            try insert(into: database)
            return Int64(count)
        }
    }

    func records(_ store: URL) throws -> Work {
        try work(store) { row, key, entity in
            UserRecord(
                key: key, entity: entity, version: 1, identifier: UserValues.identifier(row), name: UserValues.name(row)
            )
        }
    }

    func fastRecords(_ store: URL) throws -> Work {
        try work(store) { row, key, entity in
            FastUserRecord(
                key: key, entity: entity, identifier: UserValues.identifier(row), name: UserValues.name(row))
        }
    }

    private func work(
        _ store: URL, making record: @escaping (_ row: Int, _ key: Int64, _ entity: Int64) -> some PersistableRecord
    ) throws -> Work {
        let pool = try RecordDatabase.open(store)
        return {
            try pool.write { database in
                let first = try RecordDatabase.reserveKeys(count, entity: "User", in: database)
                for row in 0..<count {
                    try record(row, first.key + Int64(row), first.entity).insert(database)
                }
            }
            return Int64(count)
        }
    }

    func coreData(_ store: URL) throws -> Work {
        let container = try BenchmarkModel.open(store)
        return {
            let context = container.newBackgroundContext()
            try context.performAndWait {
                for row in 0..<count {
                    let user = User(context: context)
                    user.identifier = UserValues.identifier(row)
                    user.name = UserValues.name(row)
                }
                try context.save()
            }
            return Int64(count)
        }
    }

    private func insert(into database: PlainDatabase) throws {
        /// SQLite copies the bytes before it returns.
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        try database.transaction {
            let first = try database.reserveKeys(count, entity: "User")
            let entity = try database.entityNumber("User")
            let sql = "INSERT INTO ZUSER (Z_PK, Z_ENT, Z_OPT, ZIDENTIFIER, ZNAME) VALUES (?, ?, 1, ?, ?)"
            try database.prepare(sql) { statement in
                for row in 0..<count {
                    sqlite3_bind_int64(statement, 1, first + Int64(row))
                    sqlite3_bind_int64(statement, 2, entity)
                    withUnsafeBytes(of: UserValues.identifier(row).uuid) { bytes in
                        _ = sqlite3_bind_blob(statement, 3, bytes.baseAddress, Int32(bytes.count), transient)
                    }
                    sqlite3_bind_text(statement, 4, UserValues.name(row), -1, transient)
                    try database.run(statement)
                }
            }
        }
    }
}
