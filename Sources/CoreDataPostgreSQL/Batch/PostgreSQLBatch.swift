@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// What all batch requests need, inside their transaction.
struct PostgreSQLBatch {
    let connection: PostgreSQLConnection
    let queries: PostgreSQLQueries
    let keys: PostgreSQLKeys
    let link: ObjectLink
    let order: BatchOrder
    /// Nil where the store keeps no history.
    let history: PostgreSQLHistoryRecorder?
    /// Nil for a model without derived attributes.
    let derived: PostgreSQLDerivedValues?

    var schema: PostgreSQLSchema { queries.schema }

    /// What writes rows in the transaction.
    var rows: PostgreSQLSaveTransaction { PostgreSQLSaveTransaction(connection, schema, history, derived) }

    func outcome(_ keys: [ObjectKey]) -> BatchOutcome {
        BatchOutcome(count: keys.count, keys: order.wanted == .objectIDs ? keys : [])
    }

    /// The keys of a fetch's rows, which no other writer can change until the transaction has ended.
    func lockedKeys(_ fetch: StoreFetch) throws -> [ObjectKey] {
        let found = try keys(fetch)
        guard !found.isEmpty else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append(found.map(\.handle))
        let result = try connection.execute(
            """
            SELECT "_id" FROM \(schema.qualified(try schema.entity(fetch.entity).table)) WHERE "_id" = ANY($1) \
            ORDER BY "_id" FOR UPDATE
            """, parameters)
        let there = Set((0..<result.count).map { result.int8($0, 0) })
        return found.filter { there.contains($0.handle) }
    }

    /// A statement that fails would end the transaction, so there is a point to go back to.
    private func keys(_ fetch: StoreFetch) throws -> [ObjectKey] {
        try connection.executeScript("SAVEPOINT selecting")
        let asksServer: Bool
        do {
            let found = try queries.fetchKeys(fetch, in: connection)
            try connection.executeScript("RELEASE SAVEPOINT selecting")
            return found
        } catch let failure as PostgreSQLFailure where failure.isOfComputation {
            asksServer = false
        } catch {
            guard SQLQueryError.isUnsupported(error) else { throw error }
            asksServer = true
        }
        try connection.executeScript("ROLLBACK TO SAVEPOINT selecting")
        return try PostgreSQLFetchPlan(fetch, queries, asksServer: asksServer)
            .keys(PostgreSQLRecords(queries, connection, link: link))
    }

    /// The error for values that have to be unique, and aren't.
    func uniquenessError(_ conflicts: RowConflicts, _ request: String, of layout: EntityLayout) -> any Error {
        guard case .notUnique(_, let properties, let existing)? = conflicts.conflicts.first else { return conflicts }
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            "A \(request) of \(layout.name) has values of \(properties.joined(separator: ", ")) that the object p\(existing.handle) of "
                + "\(schema.model.entities[Int(existing.entityIndex)].name) already has, and they have to be unique; the context's "
                + "merge policy decides what becomes of such rows of a batch insert.", ["constraint": properties])
    }
}
