@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB
import GRDBSQLite

extension SQLiteQueries {
    /// The objects of a to-many, in order where it is ordered, else by key.
    package func loadDestinations(of relationship: PropertyLayout, from owner: ObjectKey, in db: Database) throws
        -> [ObjectKey]
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
    package func loadDestinations(
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

    /// The objects of a to-many of many owners with their rows, in one statement for every ten thousand owners.
    package func loadDestinationRows(
        of relationship: PropertyLayout, from owners: [ObjectKey], in db: Database
    ) throws -> DestinationRows {
        guard let destination = relationship.destination else { throw SQLQueryError.noColumn(relationship) }
        let query = try DestinationQuery(relationship, schema: schema)
        let selection = try selection(destination, includesSubentities: true)
        let ownerColumn = Int32(RowSelection.fixedColumns.count + selection.columns.count)
        var result = DestinationRows()
        var places: [Int64: Int32] = [:]
        var count: Int32 = 0
        for start in stride(from: 0, to: owners.count, by: Self.keysPerStatement) {
            let chunk = owners[start..<min(start + Self.keysPerStatement, owners.count)]
            let run = try run(query.statement(owners: chunk.map(\.handle), selecting: selection), in: db)
            var reader = rowReader(run, selection)
            try run.forEachRow { statement in
                let owner = sqlite3_column_int64(statement, ownerColumn)
                if query.mayRepeatObjects {
                    let handle = sqlite3_column_int64(statement, 0)
                    if let known = places[handle] {
                        result.pairs.append((owner, known))
                        return
                    }
                    places[handle] = count
                }
                try reader.appendRow()
                result.pairs.append((owner, count))
                count += 1
            }
            result.pages += reader.finish()
        }
        return result
    }
}
