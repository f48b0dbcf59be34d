import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Takes over what another context has saved.
    ///
    /// Updated objects that this context has are refreshed, with its own changes laid over them; inserted ones become faults
    /// of this context; deleted ones leave it. Call it on this context's queue (Apple: `mergeChanges(fromContextDidSave:)`).
    ///
    /// - Parameter notification: a `didSaveObjectsNotification` or `didSaveObjectIDsNotification`.
    public func mergeChanges(fromContextDidSave notification: Notification) {
        guard let info = notification.userInfo else { return }
        merge(SavedObjectIDs(info))
    }

    /// Takes over what was saved elsewhere, such as by a batch request or another process, in several contexts.
    ///
    /// - Parameters:
    ///   - changeNotificationData: arrays of object IDs or of their URIs, under the keys of inserted, updated and deleted
    ///     objects.
    ///   - contexts: the contexts; each is changed on its own queue.
    public class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            context.performAndWait {
                context.merge(SavedObjectIDs(changeNotificationData, resolvedBy: context.coordinator))
            }
        }
    }

    /// Takes over a save of another context of the same coordinator.
    func merge(_ saved: SavedObjectIDs) {
        processPendingChanges()
        for id in saved.inserted where isReachable(id) {
            noteEvent(.insertedInEvent, of: object(with: id))
        }
        for id in saved.updated where isReachable(id) {
            guard let object = registeredObject(for: id), !object.isDeleted else { continue }
            refresh(object, mergeChanges: true)
        }
        for id in saved.deleted where isReachable(id) {
            guard let object = registeredObject(for: id) else { continue }
            forget(deletedElsewhere: object)
        }
        endEvent(registersUndo: false)
        ContextNotifications.postDidMerge(saved, in: self)
    }

    private func isReachable(_ id: NSManagedObjectID) -> Bool {
        !id.isTemporaryID && coordinator.store(of: id) != nil
    }

    /// An object that another context has deleted leaves this one without having to be saved.
    private func forget(deletedElsewhere object: NSManagedObject) {
        if object.flags.contains(.updated) { updated.remove(object) }
        if object.flags.contains(.deleted) { deleted.remove(object) }
        object.flags.remove([.updated, .deleted, .deletePropagated])
        noteEvent(.deletedInEvent, of: object)
        registry.unregister(object)
        retained.remove(object)
        object.flags.insert(.invalidated)
    }
}
