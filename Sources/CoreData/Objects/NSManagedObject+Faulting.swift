import Foundation
import ManagedObjectModel

extension NSManagedObject {
    /// Reads the object's values if they are still to be read.
    ///
    /// - Parameter key: what is about to be used, for messages.
    @inline(__always)
    final func fireIfNeeded(_ key: @autoclosure () -> String? = nil) {
        if !flags.isDisjoint(with: .attention) { attend(key()) }
    }

    private func attend(_ key: String?) {
        if flags.contains(.watched) { checkQueue(key) }
        if flags.contains(.fault) { fire() }
    }

    private func fire() {
        if flags.contains(.inTransition) { return }
        guard let context = managedObjectContext else {
            fatalError("CoreData could not fulfill a fault for '\(objectID)': its context has gone or was reset.")
        }
        do {
            guard try realize(in: context) else {
                context.handleInaccessibleFault(of: self)
                return
            }
        } catch {
            context.noteReadFailure(error, of: "'\(objectID)'")
        }
    }

    /// Reads the row and calls `awakeFromFetch()`; false when the store has no such row.
    final func realize(in context: NSManagedObjectContext) throws -> Bool {
        guard flags.contains(.fault) else { return true }
        flags.insert(.inTransition)
        defer { flags.remove(.inTransition) }
        if snapshotPage?.readAhead != nil || snapshotPage == nil {
            guard let row = try context.row(for: self) else { return false }
            snapshot = row
        } else if let page = snapshotPage, page.mayHaveSuccessors, try !readSuccessor(of: page, in: context) {
            return false
        }
        flags.remove(.fault)
        awakeFromFetch()
        return true
    }

    /// Takes on the newest row where there is a newer one than the fault was fetched with; false when the row has gone.
    private func readSuccessor(of page: RowPage, in context: NSManagedObjectContext) throws -> Bool {
        guard let store = registry.store(at: storeIndex) else { return true }
        switch context.rowCache(of: store).newest(page.key(Int(snapshotRow)), root: layout.root) {
        case .unknown: return true
        case .row(let newest):
            let isOwn = newest.page === page && newest.row == Int(snapshotRow)
            if !isOwn, canBeRead(from: newest) { takeOver(newest) }
            return true
        case .elsewhere:
            guard let row = try context.row(for: self) else { return false }
            takeOver(row)
            return true
        }
    }

    /// Gives a fault another row. Relationships that were prefetched with the old one may have changed.
    final func takeOver(_ row: RowRef) {
        state = nil
        snapshot = row
    }

    /// Whether a row is one of the object's entity, or of one below it.
    ///
    /// A damaged file can say in one place that an object is of another entity than its row says, and the row's page then
    /// lacks slots that the object's entity has.
    final func canBeRead(from row: RowRef) -> Bool {
        (layout.index...layout.lastDescendantIndex).contains(row.page.entityIndex(row.row))
    }

    /// Throws away the values and the realised relationships. The row stays in the cache, if others keep it there.
    final func becomeFaultAgain(keepingSnapshot: Bool = false) {
        guard !flags.contains(.fault), storeIndex != 0 else { return }
        flags.insert(.inTransition)
        willTurnIntoFault()
        if !keepingSnapshot { snapshot = nil }
        state = nil
        flags.insert(.fault)
        didTurnIntoFault()
        flags.remove(.inTransition)
    }

    /// Whether a relationship's destinations are still to be read.
    public final func hasFault(forRelationshipNamed key: String) -> Bool {
        guard let property = layout.property(named: key), property.kind.isRelationship else {
            fatalError("\(layout.name) has no relationship named \"\(key)\".")
        }
        if property.kind == .toOne {
            return flags.contains(.fault) || toOne(property)?.isFault ?? false
        }
        return !(state?.toManys[property.index]?.isLoaded ?? false)
    }

    /// The IDs of a relationship's destinations, read without making objects of them.
    public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        guard let property = layout.property(named: key), property.kind.isRelationship else {
            fatalError("\(layout.name) has no relationship named \"\(key)\".")
        }
        fireIfNeeded()
        if property.kind == .toOne { return toOne(property).map { [$0.objectID] } ?? [] }
        return members(property).ordered.map(\.objectID)
    }
}
