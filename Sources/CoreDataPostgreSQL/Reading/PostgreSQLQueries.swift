@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import Synchronization

/// Reads a store's rows. Holds what is compiled once a store; every method takes the connection to read through.
final class PostgreSQLQueries: Sendable {
    let schema: PostgreSQLSchema
    let coder: SQLObjectGraph
    private let selections = Mutex<[SelectionKey: PostgreSQLSelection]>([:])

    private struct SelectionKey: Hashable {
        let entityIndex: Int
        let includesSubentities: Bool
    }

    init(schema: PostgreSQLSchema, coder: SQLObjectGraph) {
        self.schema = schema
        self.coder = coder
    }

    var builder: SQLStatementBuilder { SQLStatementBuilder(schema: schema, coder: coder) }

    func run(_ statement: SQLStatement, in connection: PostgreSQLConnection) throws -> PostgreSQLResult {
        try connection.execute(statement.fragment)
    }

    func selection(_ entity: EntityLayout, includesSubentities: Bool) throws -> PostgreSQLSelection {
        let key = SelectionKey(entityIndex: entity.index, includesSubentities: includesSubentities)
        let known = try schema.entity(entity)
        return selections.withLock { selections in
            if let selection = selections[key] { return selection }
            let selection = PostgreSQLSelection(known, includesSubentities: includesSubentities, in: schema)
            selections[key] = selection
            return selection
        }
    }

    // MARK: Fetches, all of whose parts SQL can say

    func fetchRows(_ fetch: StoreFetch, in connection: PostgreSQLConnection) throws -> [RowPage] {
        let selection = try selection(fetch.entity, includesSubentities: fetch.includesSubentities)
        let result = try run(try builder.rows(fetch) { selection.list(alias: $0) }, in: connection)
        return try PostgreSQLRowReader.pages(result, selection, schema)
    }

    func fetchKeys(_ fetch: StoreFetch, in connection: PostgreSQLConnection) throws -> [ObjectKey] {
        let result = try run(try builder.keys(fetch), in: connection)
        return try (0..<result.count).map { try key(result, $0, at: 0) }
    }

    func count(_ fetch: StoreFetch, in connection: PostgreSQLConnection) throws -> Int {
        let statement = fetch.countsDictionaries ? try DictionaryQuery(fetch, builder).count : try builder.count(fetch)
        return Int(try run(statement, in: connection).int8(0, 0))
    }

    /// The key in two columns of a result: the row's, and its entity's number.
    func key(_ result: PostgreSQLResult, _ row: Int32, at column: Int32) throws -> ObjectKey {
        let number = result.int2(row, column + 1)
        guard let index = schema.entityIndex(forNumber: number) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The row \(result.int8(row, column)) has the entity number \(number), which no entity has.")
        }
        return ObjectKey(handle: result.int8(row, column), entityIndex: index)
    }

    // MARK: Rows by key

    /// The rows with these keys, as far as they are there. One statement for each table, whatever their number.
    func loadRows(_ keys: [ObjectKey], in connection: PostgreSQLConnection) throws -> [RowPage] {
        let byRoot = Dictionary(grouping: keys) { schema.model.entities[Int($0.entityIndex)].rootIndex }
        return try byRoot.sorted { $0.key < $1.key }.flatMap { root, keys in
            let first = Int(keys[0].entityIndex)
            let entity = schema.model.entities[keys.allSatisfy { $0.entityIndex == keys[0].entityIndex } ? first : root]
            let selection = try selection(entity, includesSubentities: true)
            var parameters = PostgreSQLParameters()
            parameters.append(keys.map(\.handle))
            let result = try connection.execute(selection.byKey, parameters)
            return try PostgreSQLRowReader.pages(result, selection, schema)
        }
    }
}
