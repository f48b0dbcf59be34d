@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Reads an incremental store for a context, which the store's class is handed with each question.
final class IncrementalReading: RowReading {
    private let store: NSIncrementalStore
    private let context: NSManagedObjectContext

    init(_ store: NSIncrementalStore, _ context: NSManagedObjectContext) {
        self.store = store
        self.context = context
    }

    // MARK: Fetching

    private func ask<Result>(_ fetch: StoreFetch, _ type: NSFetchRequestResultType) throws
        -> (results: [Result], rows: NodeRows)
    {
        let request = fetch.request.erasedCopy()
        request.entity = fetch.entity.entity
        request.resultType = type
        request.fetchLimit = fetch.limit
        request.fetchOffset = fetch.offset
        let (answer, rows) = try store.asking { try store.execute(request, with: context) }
        return (try StoreAnswers(store).results(answer, of: fetch), rows)
    }

    /// The objects that the store answers a fetch with.
    func objects(_ fetch: StoreFetch) throws -> [NSManagedObject] {
        let (objects, rows): ([NSManagedObject], NodeRows) = try ask(fetch, .managedObjectResultType)
        let answers = try StoreAnswers(store)
        for object in objects { try answers.check(object, of: fetch, in: context) }
        if fetch.request.includesPropertyValues { rows.register(in: store.rowCache, first: fetch.entity.root) }
        let wanted = RowAssignment(fetch.request)
        let missing = wanted.fill(objects, with: rows)
        if !missing.isEmpty {
            let read = try self.read(missing.map(\.objectID.key))
            read.register(in: store.rowCache, first: fetch.entity.root)
            wanted.fill(missing, with: read)
        }
        return objects
    }

    func fetchRows(_ fetch: StoreFetch, in view: ReadView) throws -> [RowPage] {
        // Contexts ask for the objects. A row that is read alone has a page of its own, so that the order is kept.
        try fetchKeys(fetch, in: view).compactMap { try loadRow($0, in: view)?.page }
    }

    func fetchKeys(_ fetch: StoreFetch, in view: ReadView) throws -> [ObjectKey] {
        let (ids, _): ([NSManagedObjectID], NodeRows) = try ask(fetch, .managedObjectIDResultType)
        let answers = try StoreAnswers(store)
        return try ids.map { try answers.key($0, of: fetch) }
    }

    func count(_ fetch: StoreFetch, in view: ReadView) throws -> Int {
        let (numbers, _): ([NSNumber], NodeRows) = try ask(fetch, .countResultType)
        guard numbers.count == 1, let number = numbers.first, number.intValue >= 0 else {
            throw try StoreAnswers(store).error(
                "answered a request for a count of \(fetch.entity.name) with \(numbers)")
        }
        return number.intValue
    }

    func fetchDictionaries(_ fetch: StoreFetch, in view: ReadView) throws -> [[String: Any]] {
        try ask(fetch, .dictionaryResultType).results
    }

    // MARK: Faults

    func loadRow(_ key: ObjectKey, in view: ReadView) throws -> RowRef? {
        let answers = try StoreAnswers(store)
        do {
            let (node, rows) = try store.asking {
                try store.newValuesForObject(with: answers.id(key), with: context)
            }
            try answers.check(node, isOf: key)
            let row = try NodeRows([node], answers).rows[0]
            rows.register(in: store.rowCache, below: row.page)
            return row
        } catch  where NSIncrementalStore.isMissingObject(error) {
            return nil
        }
    }

    func loadRows(_ keys: [ObjectKey], in view: ReadView) throws -> [RowPage] { try read(keys).pages }

    private func read(_ keys: [ObjectKey]) throws -> NodeRows {
        guard !keys.isEmpty else { return NodeRows() }
        let answers = try StoreAnswers(store)
        let (nodes, rows) = try store.asking {
            try store.newValuesForObjects(with: keys.map(answers.id), with: context)
        }
        let read = try NodeRows(nodes, answers)
        if let first = read.pages.first { rows.register(in: store.rowCache, below: first) }
        return read
    }

    func loadDestinations(of property: PropertyLayout, from owner: ObjectKey, in view: ReadView) throws -> [ObjectKey] {
        guard let relationship = property.relationship else { return [] }
        let answers = try StoreAnswers(store)
        let (value, rows) = try store.asking {
            try store.newValue(forRelationship: relationship, forObjectWith: answers.id(owner), with: context)
        }
        let keys = try answers.keys(in: value, of: property)
        // Asked once for each row: the answer stays with it, and with the answer what came along.
        if let row = store.rowCache.row(for: owner, root: property.owner.root) {
            row.page.setDestinations(keys, of: property, row: row.row)
            rows.register(in: store.rowCache, below: row.page)
        }
        return keys
    }

    func loadDestinations(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> [Int64: [ObjectKey]]
    { try loadDestinationsOneByOne(of: property, from: owners, in: view) }
}
