import GRDB
import GRDBSQLite

extension SQLiteQueries {
    /// The objects of a to-many, in order where it is ordered, else by key.
    func loadDestinations(of relationship: PropertyLayout, from owner: ObjectKey, in db: Database) throws -> [ObjectKey]
    {
        let query = try DestinationQuery(relationship, schema: schema)
        var reader = query.keyReader
        var keys: [ObjectKey] = []
        try run(query.statement(owner: owner), in: db).forEachRow { statement in
            keys.append(try reader.key(of: statement, at: 0))
        }
        return keys
    }

    /// The objects of a to-many of many owners, in one statement for every ten thousand of them.
    ///
    /// Owners without objects have no entry.
    func loadDestinations(
        of relationship: PropertyLayout, from owners: [ObjectKey], in db: Database
    ) throws -> [Int64: [ObjectKey]] {
        let query = try DestinationQuery(relationship, schema: schema)
        var reader = query.keyReader
        var keys: [Int64: [ObjectKey]] = [:]
        for start in stride(from: 0, to: owners.count, by: Self.keysPerStatement) {
            let chunk = owners[start..<min(start + Self.keysPerStatement, owners.count)]
            try run(query.statement(owners: chunk.map(\.handle)), in: db).forEachRow { statement in
                let owner = sqlite3_column_int64(statement, 2)
                keys[owner, default: []].append(try reader.key(of: statement, at: 0))
            }
        }
        return keys
    }
}
