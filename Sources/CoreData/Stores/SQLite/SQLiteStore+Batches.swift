@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import ManagedObjectModel

extension SQLiteStore {
    /// Runs a batch request in one transaction.
    ///
    /// - Returns: what the request's result type asks for.
    func execute(_ request: NSBatchInsertRequest, in context: NSManagedObjectContext?) throws -> Any {
        let kind = BatchResultKind(rawValue: request.resultType.rawValue) ?? .status
        let environment = try batchEnvironment(kind, for: context)
        let layout = try batchLayout(request.entityName, environment)
        let plan = SQLiteRowPlan(try environment.schema.entity(layout))
        let columns = BatchColumns(plan, coder: environment.coder, request: "batch insert")
        return try runBatch(environment) { database, outcome in
            var insertion = try SQLiteBatchInsert(layout, in: database, environment)
            if let dictionaries = request.objectsToInsert {
                var rows = BatchDictionaryRows(dictionaries, columns: columns)
                try insertion.run(&rows, files: &outcome)
            } else if let handler = request.dictionaryHandler {
                var rows = BatchHandlerRows(handler, columns: columns)
                try insertion.run(&rows, files: &outcome)
            } else if let handler = request.managedObjectHandler {
                var rows = BatchObjectRows(handler, columns: columns)
                try insertion.run(&rows, files: &outcome)
            } else {
                throw CoreDataError.unsupportedRequest(
                    "The batch insert into \(layout.name) has neither objects nor a handler.")
            }
        }
    }

    func execute(_ request: NSBatchUpdateRequest, in context: NSManagedObjectContext?) throws -> Any {
        let kind = BatchResultKind(rawValue: request.resultType.rawValue) ?? .status
        let environment = try batchEnvironment(kind, for: context)
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: request.entityName)
        fetch.predicate = request.predicate
        fetch.includesSubentities = request.includesSubentities
        let update = try SQLiteBatchUpdate(
            StoreFetch(fetch, in: environment.schema.model), properties: request.propertiesToUpdate ?? [:], environment)
        return try runBatch(environment) { try update.run(in: $0, files: &$1) }
    }

    func execute(_ request: NSBatchDeleteRequest, in context: NSManagedObjectContext?) throws -> Any {
        let kind = BatchResultKind(rawValue: request.resultType.rawValue) ?? .status
        let environment = try batchEnvironment(kind, for: context)
        let fetch = try StoreFetch(request.fetchRequest, in: environment.schema.model)
        let deletion = SQLiteBatchDelete(fetch, environment)
        return try runBatch(environment) { try deletion.run(in: $0, files: &$1) }
    }

    private func batchLayout(_ name: String, _ environment: SQLiteBatchEnvironment) throws -> EntityLayout {
        guard let layout = environment.schema.model.entity(named: name) else {
            throw CoreDataError.unknownEntity(name, in: environment.schema.model)
        }
        guard !layout.entity.isAbstract else {
            throw CoreDataError.unsupportedRequest(
                "Can't insert rows of the abstract entity \(name): name one of its subentities.")
        }
        return layout
    }

    private func batchEnvironment(_ kind: BatchResultKind, for context: NSManagedObjectContext?) throws
        -> SQLiteBatchEnvironment
    {
        let (file, queries) = try open()
        // A child has its parent carry requests out, whose author it is then (seen in tests of CoreDataRepository).
        var root = context
        while let parent = root?.parent { root = parent }
        return SQLiteBatchEnvironment(
            queries: queries, external: queries.externalData, encode: Self.encoder,
            author: HistoryAuthor(author: root?.transactionAuthor, contextName: root?.name),
            historyTables: file.historyTables,
            policy: (context?.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType, wanted: kind)
    }

    private func runBatch(
        _ environment: SQLiteBatchEnvironment,
        _ body: (Database, inout SQLiteBatchOutcome) throws -> Void
    ) throws -> Any {
        let (file, _) = try open()
        var outcome = SQLiteBatchOutcome()
        do {
            try file.write { database in
                try body(database, &outcome)
                if !outcome.writtenFiles.isEmpty { try environment.external.synchronizeNames() }
            }
        } catch {
            SQLiteExternalData.remove(outcome.writtenFiles)
            throw error
        }
        file.removeObsolete(outcome.obsoleteFiles)
        _ = recomputedRows.take()
        // The rows in memory may be any of those that were changed.
        rowCache.removeAll()
        switch environment.wanted {
        case .status: return NSNumber(value: true)
        case .count: return NSNumber(value: outcome.count)
        case .objectIDs:
            let entities = environment.schema.model.entities
            return outcome.keys.map {
                NSManagedObjectID(layout: entities[Int($0.entityIndex)], handle: $0.handle, store: self)
            }
        }
    }
}
