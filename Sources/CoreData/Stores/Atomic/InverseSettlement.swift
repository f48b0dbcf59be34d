@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Makes both ends of every relationship that a save has changed agree in the nodes.
///
/// A context that didn't take over what others have saved, or whose merge policy has laid its own values over that, may hold
/// one side and not the other. A SQLite store keeps one side alone, and the rows of a join; so what it would hold is what
/// counts here: of a one-to-many relationship the to-one side, of a many-to-many one which pairs came and which went.
///
/// It looks at the relationships that the saved objects have changed, and at those of removed nodes; never at all nodes.
struct InverseSettlement {
    private let store: NSAtomicStore
    private let backup: NodeBackup
    /// The saved objects by their nodes, while their own relationships count.
    private var changed: [ObjectIdentifier: NSManagedObject] = [:]
    private var edits: [Place: Edit] = [:]
    /// Nodes that hold another destination than the save has given them, or that it hasn't touched.
    private(set) var corrected: [NSAtomicStoreCacheNode] = []

    private struct Place: Hashable {
        let node: ObjectIdentifier
        let property: Int
    }

    /// What comes to the members of one node, and what goes.
    private struct Edit {
        let node: NSAtomicStoreCacheNode
        let property: PropertyLayout
        /// The members before.
        let members: NodeMembers
        var added: [NSAtomicStoreCacheNode] = []
        var removed: [NSAtomicStoreCacheNode] = []

        init(_ node: NSAtomicStoreCacheNode, _ property: PropertyLayout) {
            (self.node, self.property) = (node, property)
            members = node.members(of: property)
        }
    }

    /// A changed relationship of a saved object.
    private struct Change {
        let object: NSManagedObject
        let node: NSAtomicStoreCacheNode
        let property: PropertyLayout
        let inverse: PropertyLayout
        let isNew: Bool
    }

    /// - Parameter backup: what the nodes held before the save; nodes that the settlement changes are added.
    static func settle(
        _ changes: StoreChanges, gone: [NSAtomicStoreCacheNode], in store: NSAtomicStore, _ backup: NodeBackup
    ) -> [NSAtomicStoreCacheNode] {
        var settlement = InverseSettlement(store: store, backup: backup)
        let changed = settlement.changes(of: changes)
        // The sides that decide come first.
        for change in changed where change.property.kind == .toOne && change.inverse.kind == .toOne {
            settlement.settlePair(change)
        }
        for change in changed where change.property.kind == .toOne && change.inverse.kind == .toMany {
            settlement.settleDestination(change)
        }
        for node in gone { settlement.leave(node) }
        for change in changed where change.property.kind == .toMany {
            settlement.settleMembers(change)
            if !gone.isEmpty { settlement.dropGone(change) }
        }
        settlement.applyEdits()
        return settlement.corrected
    }

    private init(store: NSAtomicStore, backup: NodeBackup) {
        self.store = store
        self.backup = backup
    }

    private mutating func changes(of changes: StoreChanges) -> [Change] {
        var found: [Change] = []
        for (objects, isNew) in [(changes.inserted, true), (changes.updated, false)] {
            for object in objects {
                let relationships = object.layout.relationships.filter {
                    $0.isPersistent && object.hasChanged($0, isNew: isNew)
                }
                guard !relationships.isEmpty, let node = store.savedNode(of: object) else { continue }
                changed[ObjectIdentifier(node)] = object
                for property in relationships {
                    let inverse = property.destination.flatMap { _ in property.inverse }
                    guard let inverse, inverse.isPersistent else { continue }
                    found.append(
                        Change(object: object, node: node, property: property, inverse: inverse, isNew: isNew))
                }
            }
        }
        return found
    }

    // MARK: Deciding

    private func destination(_ node: NSAtomicStoreCacheNode, _ property: PropertyLayout) -> NSAtomicStoreCacheNode? {
        node.storedValue(of: property) as? NSAtomicStoreCacheNode
    }

    /// The destination that a changed to-one has now; none where it leads to an object that has gone.
    private mutating func present(_ change: Change) -> NSAtomicStoreCacheNode? {
        guard let destination = destination(change.node, change.property) else { return nil }
        if store.holds(destination) { return destination }
        set(nil, of: change.property, in: change.node)
        return nil
    }

    private func former(_ change: Change) -> NSAtomicStoreCacheNode? {
        guard !change.isNew else { return nil }
        let before = backup.value(of: change.property, in: change.node) as? NSAtomicStoreCacheNode
        return before.flatMap { store.holds($0) ? $0 : nil }
    }

    /// One-to-one: the node that this save has given a partner keeps it, and the node that had it before loses it.
    private mutating func settlePair(_ change: Change) {
        let (node, former) = (change.node, former(change))
        let present = present(change)
        if let former, former !== present, destination(former, change.inverse) === node {
            set(nil, of: change.inverse, in: former)
        }
        guard let present else { return }
        let rival = destination(present, change.inverse)
        if rival === node { return }
        if let rival, destination(rival, change.property) === present {
            if let object = changed[ObjectIdentifier(present)], object.hasChanged(change.inverse, isNew: false) {
                return set(nil, of: change.property, in: node)
            }
            set(nil, of: change.property, in: rival)
        }
        set(node, of: change.inverse, in: present)
    }

    /// One-to-many, seen from the one that decides.
    private mutating func settleDestination(_ change: Change) {
        let (former, present) = (former(change), present(change))
        if let former, former !== present { edit(change.inverse, of: former, removing: change.node) }
        if let present { edit(change.inverse, of: present, adding: change.node) }
    }

    /// Members that came or went, as far as that wasn't up to the members.
    private mutating func settleMembers(_ change: Change) {
        guard let members = change.object.state?.toManys[change.property.index] else { return }
        for object in members.added {
            guard let member = store.savedNode(of: object) else { continue }
            if change.inverse.kind == .toMany {
                edit(change.inverse, of: member, adding: change.node)
            } else if destination(member, change.inverse) !== change.node {
                edit(change.property, of: change.node, removing: member)
            }
        }
        for object in members.removed {
            guard let member = store.savedNode(of: object) else { continue }
            if change.inverse.kind == .toMany {
                edit(change.inverse, of: member, removing: change.node)
            } else if destination(member, change.inverse) === change.node {
                edit(change.property, of: change.node, adding: member)
            }
        }
    }

    /// Members that this save removes: the object's context may not have known that they were members.
    private mutating func dropGone(_ change: Change) {
        for member in change.node.members(of: change.property).nodes where !store.holds(member) {
            edit(change.property, of: change.node, removing: member)
        }
    }

    /// A removed node is no longer the destination of any other.
    private mutating func leave(_ node: NSAtomicStoreCacheNode) {
        for property in node.objectID.layout.relationships where property.isPersistent {
            guard let inverse = property.inverse, inverse.isPersistent else { continue }
            let before = backup.value(of: property, in: node)
            let others = before as? NodeMembers ?? NodeMembers(value: before)
            for other in others.nodes where store.holds(other) {
                if inverse.kind == .toMany {
                    edit(inverse, of: other, removing: node)
                } else if property.deleteRule != .noActionDeleteRule, destination(other, inverse) === node {
                    set(nil, of: inverse, in: other)
                }
            }
        }
    }

    // MARK: Changing

    private mutating func set(
        _ destination: NSAtomicStoreCacheNode?, of property: PropertyLayout, in node: NSAtomicStoreCacheNode
    ) {
        backup.add(node)
        node.setValue(destination, forKey: property.name)
        node.version += 1
        node.row = nil
        corrected.append(node)
    }

    /// The other side's own property, which an entity above or below has at the same place.
    private mutating func edit(
        _ property: PropertyLayout, of node: NSAtomicStoreCacheNode, adding added: NSAtomicStoreCacheNode? = nil,
        removing removed: NSAtomicStoreCacheNode? = nil
    ) {
        let place = Place(node: ObjectIdentifier(node), property: property.index)
        var edit = edits.removeValue(forKey: place) ?? Edit(node, property)
        if let added, !edit.members.contains(added) { edit.added.append(added) }
        if let removed, edit.members.contains(removed) { edit.removed.append(removed) }
        edits[place] = edit
    }

    private mutating func applyEdits() {
        for edit in edits.values where !(edit.added.isEmpty && edit.removed.isEmpty) {
            backup.add(edit.node)
            let members = edit.node.members(of: edit.property)
            let added = edit.added.inOrderOfHandles()
            // An unordered relationship keeps the order that its file has.
            edit.node.setMembers(
                NodeMembers(
                    members, without: edit.removed, with: added, isOrdered: edit.property.isOrdered || members.isOrdered
                ),
                of: edit.property)
            edit.node.row = nil
            corrected.append(edit.node)
        }
    }
}

extension NSManagedObject {
    /// Whether the save that is under way brings another value of a relationship.
    fileprivate final func hasChanged(_ relationship: PropertyLayout, isNew: Bool) -> Bool {
        guard let state else { return false }
        if relationship.kind == .toMany { return state.toManys[relationship.index]?.hasChanges ?? false }
        return isNew || relationship.rowSlot >= 0 && state.changed.contains(relationship.rowSlot)
    }
}
