@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Nodes of an incremental store as rows, packed into pages by hierarchy.
struct NodeRows {
    private(set) var pages: [RowPage] = []
    /// The rows in the order of the nodes.
    private(set) var rows: [RowRef] = []
    private var places: [Place: RowRef] = [:]

    private struct Place: Hashable {
        let handle: Int64
        let rootIndex: Int
    }

    /// - Throws: an error that names the store and the value that can't be.
    init(_ nodes: [NSIncrementalStoreNode], _ answers: StoreAnswers) throws {
        guard !nodes.isEmpty else { return }
        var filling: [Int: RowPage] = [:]
        for node in nodes {
            let root = node.objectID.layout.root
            var page = filling[root.index]
            if page == nil || page!.isFull {
                page = RowPage(
                    model: root.model, slotCount: root.widestSlotCount,
                    capacity: min(nodes.count, RowPage.defaultCapacity))
                filling[root.index] = page
                pages.append(page!)
            }
            let row = try answers.append(node, to: page!)
            rows.append(row)
            places[Place(handle: row.key.handle, rootIndex: root.index)] = row
        }
        for page in pages { page.shrink() }
    }

    /// No rows.
    init() {}

    func row(of key: ObjectKey, root: EntityLayout) -> RowRef? {
        places[Place(handle: key.handle, rootIndex: root.index)]
    }

    // MARK: Into the row cache

    /// Makes the rows known.
    func register(in cache: RowCache, wasSaved: Bool = false) {
        for page in pages { cache.register(page, root: page.layout(0).root, wasSaved: wasSaved) }
    }

    /// Makes the rows known; those of other hierarchies last as long as those of the first.
    func register(in cache: RowCache, first root: EntityLayout) {
        register(in: cache)
        let others = pages.filter { $0.layout(0).rootIndex != root.index }
        guard !others.isEmpty else { return }
        for page in pages where page.layout(0).rootIndex == root.index { page.keep(others) }
    }

    /// Makes the rows known; they last as long as an older page.
    func register(in cache: RowCache, below page: RowPage) {
        register(in: cache)
        if !pages.isEmpty { page.keep(pages) }
    }
}
