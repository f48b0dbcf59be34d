@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Executes batch requests on an engine.
struct EngineBatch {
    private let engine: any BatchWriting
    private let store: NSPersistentStore
    private let context: NSManagedObjectContext?

    init(_ engine: any BatchWriting, of store: NSPersistentStore, in context: NSManagedObjectContext?) {
        self.engine = engine
        self.store = store
        self.context = context
    }

    /// What the request's result type asks for; nil where it is no batch request.
    func answer(_ request: NSPersistentStoreRequest) throws -> Any? {
        switch request {
        case let request as NSBatchInsertRequest: try insert(request)
        case let request as NSBatchUpdateRequest: try update(request)
        case let request as NSBatchDeleteRequest: try delete(request)
        default: nil
        }
    }

    private func insert(_ request: NSBatchInsertRequest) throws -> Any {
        let model = try model
        guard let layout = model.entity(named: request.entityName) else {
            throw CoreDataError.unknownEntity(request.entityName, in: model)
        }
        guard !layout.isAbstract else {
            throw CoreDataError.unsupportedRequest(
                "Can't insert rows of the abstract entity \(layout.name): name one of its subentities.")
        }
        let source: BatchInsertion.Source
        if let dictionaries = request.objectsToInsert {
            source = .dictionaries(dictionaries)
        } else if let handler = request.dictionaryHandler {
            source = .handler(handler)
        } else if let handler = request.managedObjectHandler {
            source = .rows { BatchObjectRows(handler, columns: $0) }
        } else {
            throw CoreDataError.unsupportedRequest(
                "The batch insert into \(layout.name) has neither objects nor a handler.")
        }
        return try run(request.resultType.rawValue) { try engine.insert(BatchInsertion(layout, source), $0) }
    }

    private func update(_ request: NSBatchUpdateRequest) throws -> Any {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: request.entityName)
        fetch.predicate = request.predicate
        fetch.includesSubentities = request.includesSubentities
        let rows = try StoreFetch(fetch, in: model)
        return try run(request.resultType.rawValue) {
            try engine.update(rows, setting: request.propertiesToUpdate ?? [:], $0)
        }
    }

    private func delete(_ request: NSBatchDeleteRequest) throws -> Any {
        let rows = try StoreFetch(request.fetchRequest, in: model)
        return try run(request.resultType.rawValue) { try engine.delete(rows, $0) }
    }

    private var model: ModelLayout {
        get throws {
            guard let model = store.persistentStoreCoordinator?.layout ?? context?.model else {
                throw CoreDataError.make(NSPersistentStoreOperationError, "\(store.place): the store is closed.")
            }
            return model
        }
    }

    private func run(_ resultType: UInt, _ body: (BatchOrder) throws -> BatchOutcome) throws -> Any {
        let wanted = BatchResultKind(rawValue: resultType) ?? .status
        // A child passes requests to its parent, so the author is the parent's (seen in tests of CoreDataRepository).
        let root = context.map { sequence(first: $0, next: \.parent).reduce($0) { $1 } }
        let order = BatchOrder(
            author: HistoryAuthor(author: root?.transactionAuthor, contextName: root?.name),
            policy: (context?.mergePolicy as? NSMergePolicy)?.mergeType ?? .errorMergePolicyType, wanted: wanted)
        let outcome = try body(order)
        // Any row in memory may be one of those that were changed.
        store.rowCache.removeAll()
        switch wanted {
        case .status: return NSNumber(value: true)
        case .count: return NSNumber(value: outcome.count)
        case .objectIDs:
            let entities = try model.entities
            return outcome.keys.map {
                NSManagedObjectID(layout: entities[Int($0.entityIndex)], handle: $0.handle, store: store)
            }
        }
    }
}
