@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// What nodes held before a save, for when it fails.
///
/// Values are read and put back as any client of a node reads and sets them. A class of nodes that keeps them in a form of
/// its own, which only `updateCacheNode(_:from:)` fills, is updated once more, from an object that has the old values.
final class NodeBackup {
    private let store: NSAtomicStore
    private var entries: [Entry]
    /// The places of the nodes among the entries.
    private var places: [ObjectIdentifier: Int] = [:]

    private struct Entry {
        let node: NSAtomicStoreCacheNode
        let isRemoved: Bool
        let version: Int64
        let row: RowRef?
        let values: [(property: PropertyLayout, value: Any?)]

        func value(of property: PropertyLayout) -> Any? {
            values.first { $0.property.index == property.index }.flatMap(\.value)
        }

        /// What the framework keeps on a node, which is part of no value.
        func restoreState() {
            node.version = version
            node.row = row
        }
    }

    init(updated: [NSAtomicStoreCacheNode], removed: [NSAtomicStoreCacheNode], in store: NSAtomicStore) {
        self.store = store
        entries =
            updated.map { Self.entry($0, isRemoved: false) } + removed.map { Self.entry($0, isRemoved: true) }
        places.reserveCapacity(entries.count)
        for (place, entry) in entries.enumerated() { places[ObjectIdentifier(entry.node)] = place }
    }

    private static func entry(_ node: NSAtomicStoreCacheNode, isRemoved: Bool) -> Entry {
        let properties = node.objectID.layout.properties.filter(\.isPersistent)
        let values = properties.map { ($0, valueToKeep(of: $0, in: node)) }
        return Entry(node: node, isRemoved: isRemoved, version: node.version, row: node.row, values: values)
    }

    /// Takes in another node, as it is now. One that is in stays as it was; a new one is taken back as a whole.
    func add(_ node: NSAtomicStoreCacheNode) {
        guard places[ObjectIdentifier(node)] == nil else { return }
        places[ObjectIdentifier(node)] = entries.count
        entries.append(Self.entry(node, isRemoved: false))
    }

    /// What a node held before.
    func value(of property: PropertyLayout, in node: NSAtomicStoreCacheNode) -> Any? {
        places[ObjectIdentifier(node)].flatMap { entries[$0].value(of: property) }
    }

    private static func valueToKeep(of property: PropertyLayout, in node: NSAtomicStoreCacheNode) -> Any? {
        // Nobody changes these in place.
        if property.kind == .toMany, node.isPropertyCacheAlone { return node.storedMembers(of: property) }
        return copy(node.storedValue(of: property))
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
        // First of all, as what the save has left there is what the objects differ from. A node whose contents can't be read has none
        // that could be compared, and is put back all the same.
        let others = entries.filter { !$0.node.isPropertyCacheAlone }.map { entry in
            (entry, entry.isRemoved ? nil : try? store.contents(of: entry.node, entry.node.storedValue))
        }
        for entry in entries {
            for (property, value) in entry.values {
                if let members = value as? NodeMembers {
                    entry.node.setMembers(members, of: property)
                } else {
                    entry.node.setValue(value, forKey: property.name)
                }
            }
            entry.restoreState()
        }
        if !others.isEmpty { update(others) }
    }

    private func update(_ others: [(entry: Entry, left: NodeContents?)]) {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.persistentStoreCoordinator
        context.performAndWait {
            for (entry, left) in others {
                // What can't be a row can't be given to an object either.
                guard let before = try? store.contents(of: entry.node, entry.value) else { continue }
                store.updateCacheNode(entry.node, from: before.object(changedFrom: left, of: store, in: context))
                entry.restoreState()
            }
        }
    }
}
