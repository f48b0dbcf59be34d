@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

extension SQLiteQueries {
    /// The dictionaries of a fetch: an entry for each property or expression that isn't nil.
    package func fetchDictionaries(_ fetch: StoreFetch, in db: Database) throws -> [[String: Any]] {
        let query = try DictionaryQuery(fetch, builder)
        let reader = try DictionaryReader(
            query, schema, table: schema.entity(fetch.entity).table, externalData: externalData)
        var dictionaries: [[String: Any]] = []
        try forEachRow(of: fetch, try run(query.statement, in: db)) { statement in
            dictionaries.append(try reader.dictionary(statement))
        }
        return dictionaries
    }
}
