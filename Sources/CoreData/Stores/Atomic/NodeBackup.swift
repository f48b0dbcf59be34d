import Foundation

/// What nodes held before a save, for when it fails.
///
/// Values are read and put back as any client of a node reads and sets them. A class of nodes that keeps them in a form of
/// its own, which only `updateCacheNode(_:from:)` fills, is updated once more, from an object that has the old values.
struct NodeBackup {
    private let store: NSAtomicStore
    private let entries: [Entry]

    private struct Entry {
        let node: NSAtomicStoreCacheNode
        let isRemoved: Bool
        let version: Int64
        let row: RowRef?
        let values: [(key: String, value: Any?)]
        /// Where there may be another form of the values.
        let contents: NodeContents?

        /// What the framework keeps on a node, which is part of no value.
        func restoreState() {
            node.version = version
            node.row = contents?.row ?? row
        }
    }

    init(updated: [NSAtomicStoreCacheNode], removed: [NSAtomicStoreCacheNode], in store: NSAtomicStore) {
        func entry(_ node: NSAtomicStoreCacheNode, isRemoved: Bool) -> Entry {
            let properties = node.objectID.layout.properties.filter(\.isPersistent)
            let values = properties.map { ($0.name, Self.copy(node.storedValue(of: $0))) }
            // What can't be a row can't be given to an object either.
            let contents = node.isPropertyCacheAlone ? nil : try? store.contents(of: node)
            return Entry(
                node: node, isRemoved: isRemoved, version: node.version, row: node.row, values: values,
                contents: contents)
        }
        self.store = store
        entries = updated.map { entry($0, isRemoved: false) } + removed.map { entry($0, isRemoved: true) }
    }

    /// A collection that the node may go on to change.
    private static func copy(_ value: Any?) -> Any? {
        switch value {
        case let set as NSMutableOrderedSet: set.copy()
        case let set as NSMutableSet: set.copy()
        case let array as NSMutableArray: array.copy()
        default: value
        }
    }

    /// Puts everything back. The nodes must be the store's again.
    func restore() {
        // First of all, as what the save has left there is what the objects differ from.
        let left = entries.map { entry in
            entry.contents == nil || entry.isRemoved ? nil : try? store.contents(of: entry.node)
        }
        for entry in entries {
            for (key, value) in entry.values { entry.node.setValue(value, forKey: key) }
            entry.restoreState()
        }
        updateOthers(left)
    }

    private func updateOthers(_ left: [NodeContents?]) {
        guard entries.contains(where: { $0.contents != nil }), let coordinator = store.persistentStoreCoordinator else {
            return
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.performAndWait {
            for (entry, left) in zip(entries, left) {
                guard let contents = entry.contents else { continue }
                store.updateCacheNode(entry.node, from: contents.object(changedFrom: left, of: store, in: context))
                entry.restoreState()
            }
        }
    }
}
