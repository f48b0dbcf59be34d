@_spi(Engine) import CoreDataRows
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
        if flags.contains(.fault) { fire(key) }
    }

    private func fire(_ key: String?) {
        if !flags.isDisjoint(with: [.inTransition, .forgotten, .emptied]) { return }
        guard let context = ownContext else {
            fatalError(
                "CoreData could not fulfill a fault for '\(objectID)': its context has gone or was reset, or its store was "
                    + "removed.")
        }
        do {
            guard try context.followingExchanges({ try realize(in: context) }) else {
                context.handleInaccessibleFault(of: self, askedFor: key)
                return
            }
        } catch {
            context.recordReadFailure(error, of: "'\(objectID)'")
        }
    }

    /// Reads the row and calls `awakeFromFetch()`; false when the store has no such row.
    final func realize(in context: NSManagedObjectContext) throws -> Bool {
        guard flags.contains(.fault) else { return true }
        if flags.contains(.inserted) {
            flags.remove(.fault)
            return true
        }
        flags.insert(.inTransition)
        defer { flags.remove(.inTransition) }
        let known = snapshot
        if known == nil || !context.parentStore.isCurrent(known!.page, in: context) {
            guard let row = try context.parentStore.row(for: self, in: context) else { return false }
            if let known {
                let isOwn = row.page === known.page && row.row == known.row
                if !isOwn, canBeRead(from: row) { adopt(row) }
            } else {
                guard canBeRead(from: row) else { return false }
                snapshot = row
            }
        }
        flags.remove(.fault)
        awakeFromFetch()
        return true
    }

    /// Gives a fault another row. Relationships that were prefetched with the old one may have changed.
    final func adopt(_ row: RowRef) {
        observably(propertiesChanged(by: row)) {
            state = nil
            snapshot = row
        }
    }

    /// Has a fault read its row anew when it fires, instead of the one that was fetched with it.
    final func forgetFetchedRow(keeping transients: [Int: Any]) {
        if snapshotPage != nil { discardValues(keeping: transients) }
    }

    private func discardValues(keeping transients: [Int: Any]) {
        snapshot = nil
        state = nil
        if !transients.isEmpty { writableState.transients = transients }
    }

    /// Makes the row's values the object's own, as the row has gone from the store and is to be written anew.
    final func loseRow() {
        let state = beginWriting()
        for property in layout.relationships where property.kind == .toOne && property.rowSlot >= 0 {
            state.current[property.rowSlot] = lasting(state.current[property.rowSlot])
        }
        state.formerVersion = max(state.formerVersion, RowVersion.leap(from: snapshotVersion))
        snapshot = nil
        for (index, value) in state.toManys where !layout.properties[index].isTransient { value.didLoseRow() }
    }

    /// Makes an object whose deletion was saved a fault that reads nil (seen in the tests of SwiftDatastore and The Blue Alliance).
    final func putValuesAside() {
        guard ownContext == nil, !flags.contains(.emptied) else { return }
        let values = ValuesPutAside(snapshot: snapshot, state: state, wasFault: flags.contains(.fault))
        snapshot = nil
        let state = ObjectState()
        state.putAside = values
        self.state = state
        flags.insert([.fault, .emptied])
    }

    /// Gives it back what it had, as it is inserted again.
    final func takeValuesBack() {
        guard flags.contains(.emptied) else { return }
        let values = state?.putAside
        flags.remove(values?.wasFault == true ? .emptied : [.fault, .emptied])
        snapshot = values?.snapshot
        state = values?.state
    }

    /// Whether a row is one of the object's entity.
    final func canBeRead(from row: RowRef) -> Bool { layout.canRead(row) }

    /// Discards the values and the loaded relationships. The row stays in the cache as long as other objects refer to
    /// its page.
    ///
    /// - Parameter transients: transient values that it keeps.
    final func becomeFaultAgain(keeping transients: [Int: Any] = [:]) {
        guard !flags.contains(.fault), !wasNeverSaved else { return }
        flags.insert(.inTransition)
        willTurnIntoFault()
        revertRelationshipsSetInTransition()
        discardValues(keeping: transients)
        flags.insert(.fault)
        didTurnIntoFault()
        if let state, !(state.current.isEmpty && state.toManys.isEmpty) {
            revertRelationshipsSetInTransition()
            discardValues(keeping: state.transients)
        }
        flags.remove(.inTransition)
    }

    /// Values that a program sets while the object becomes a fault are discarded; the other end of a relationship mustn't keep
    /// them either.
    private func revertRelationshipsSetInTransition() {
        if state != nil { ownContext?.revert(relationshipsOf: self) }
    }

    /// Gives an object that was never saved its initial values, which it has when the fault is fired.
    final func becomeNewFault() {
        flags.insert(.inTransition)
        willTurnIntoFault()
        revertRelationshipsSetInTransition()
        let state = ObjectState()
        state.current = layout.defaultRow
        state.reservation = self.state?.reservation
        state.assignedStore = self.state?.assignedStore
        self.state = state
        flags.insert(.fault)
        didTurnIntoFault()
        flags.remove(.inTransition)
    }

    /// What ``hasFault(forRelationshipNamed:)`` says.
    final func isUnread(relationshipNamed key: String) -> Bool {
        guard let property = layout.property(named: key), property.kind.isRelationship else {
            fatalError("\(layout.name) has no relationship named \"\(key)\".")
        }
        if property.kind == .toOne {
            return flags.contains(.fault) || toOne(property)?.isFault ?? false
        }
        return !(state?.toManys[property.index]?.isLoaded ?? false)
    }
}
