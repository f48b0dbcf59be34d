@_spi(Engine) import CoreDataRows

/// An atomic store is read as an engine is: its nodes have rows, and requests are evaluated over all nodes.
extension NSAtomicStore: RowReading {
    private func candidates(for fetch: StoreFetch) -> [NSAtomicStoreCacheNode] {
        let last = fetch.includesSubentities ? fetch.entity.lastDescendantIndex : fetch.entity.index
        return (fetch.entity.index...last).flatMap { nodesByEntity[$0] ?? [] }
    }

    private func nodes(for fetch: StoreFetch) throws -> [NSAtomicStoreCacheNode] {
        try InMemoryQuery(fetch).select(candidates(for: fetch))
    }

    private func node(_ key: ObjectKey, root: EntityLayout) -> NSAtomicStoreCacheNode? {
        nodes[ObjectKeyInRoot(handle: key.handle, rootIndex: root.index)]
    }

    package final func fetchRows(_ fetch: StoreFetch, in view: ReadView) throws -> [RowPage] {
        try nodes(for: fetch).map { try row(of: $0).page }
    }

    package final func fetchKeys(_ fetch: StoreFetch, in view: ReadView) throws -> [ObjectKey] {
        try nodes(for: fetch).map(\.objectID.key)
    }

    package final func fetchDictionaries(_ fetch: StoreFetch, in view: ReadView) throws -> [[String: Any]] {
        try InMemoryDictionaryQuery(fetch).dictionaries(candidates(for: fetch))
    }

    package final func count(_ fetch: StoreFetch, in view: ReadView) throws -> Int {
        if fetch.countsDictionaries { return try fetchDictionaries(fetch, in: view).count }
        return try nodes(for: fetch).count
    }

    package final func loadRow(_ key: ObjectKey, in view: ReadView) throws -> RowRef? {
        let entity = view.model.entities[Int(key.entityIndex)]
        guard let row = try node(key, root: entity.root).map(row) else { return nil }
        // A stranger's ID may name another entity of the hierarchy.
        return entity.canRead(row) ? row : nil
    }

    package final func loadRows(_ keys: [ObjectKey], in view: ReadView) throws -> [RowPage] {
        // Each node has a page of its own.
        try keys.compactMap { try loadRow($0, in: view)?.page }
    }

    package final func loadDestinations(of property: PropertyLayout, from owner: ObjectKey, in view: ReadView) throws
        -> [ObjectKey]
    {
        guard let node = node(owner, root: property.owner.root) else { return [] }
        return try memberKeys(of: node, property)
    }

    package final func loadDestinations(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> [Int64: [ObjectKey]]
    { try loadDestinationsOneByOne(of: property, from: owners, in: view) }
}
