@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Gives an inserted object the identity that its store has given out.
    func adoptKey(of object: NSManagedObject) {
        guard object.storeIndex == 0, let reservation = object.state?.reservation, let handle = reservation.handle
        else {
            return
        }
        let (temporary, id, known) = (object.handle, object.cachedID, reservation.identity)
        object.become(handle: handle, storeIndex: reservation.storeIndex)
        // The reserved identity and the object's own are the same.
        object.cachedID = id
        if let family, let store = registry.store(at: reservation.storeIndex) {
            family.recordPermanentKey(of: temporary, known, object.key, in: store)
        }
    }

    func reserveIDs(for objects: [NSManagedObject]) throws {
        checkQueue("obtainPermanentIDs(for:)")
        let temporary = objects.filter { $0.objectID.isTemporaryID }
        let (mine, others) = (temporary.filter(\.isInserted), temporary.filter { !$0.isInserted })
        if !others.isEmpty { try parentStore.obtainPermanentIDs(for: others, in: self) }
        let plan = try followingExchanges { try SavePlan(self, only: mine) }
        defer { plan.end() }
        for object in mine { adoptKey(of: object) }
    }
}
