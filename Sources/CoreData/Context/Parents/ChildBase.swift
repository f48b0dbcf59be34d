@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// What a parent's object is based on when a child saves a change of it.
enum ChildBase {
    /// The row that the child has read: the parent reads the object anew for the child's save, and would have that row if it had kept
    /// what it read for the child.
    case rowReadByChild
    /// The row that the parent has by then. What others have changed of it, and the child hasn't read, is a conflict where the child
    /// has changed the same property, or deletes the object.
    case rowOfParent
}

extension NSManagedObjectContext {
    /// Ask before the object is read for the child's save.
    func base(for copy: NSManagedObject) -> ChildBase {
        let (key, storeIndex) = registration(of: copy.identity)
        let mine = registeredObject(for: key, layout: copy.layout, storeIndex: storeIndex)
        return mine.map { $0.snapshotPage != nil && !$0.isFault } ?? false ? .rowOfParent : .rowReadByChild
    }

    /// Bases an object on what a child has read of it, where others have saved the object since, so that the next save finds the
    /// conflict. The context's own changes of the object stay.
    ///
    /// - Parameter changed: what the child has changed of the object; nil where it deletes it.
    func rebase(_ object: NSManagedObject, on base: ChildBase, for changed: [PropertyLayout]?, of copy: NSManagedObject)
    {
        guard copy.snapshotPage != nil else { return }
        let present = object.snapshotVersion
        let known = knownVersion(of: object.identity, after: copy.snapshotVersion, present: present)
        guard present > known else { return }
        let read = copy.snapshotRowValues()
        var values = object.snapshotRowValues()
        var replaced = Array(values.indices)
        if base == .rowOfParent {
            replaced = (changed ?? []).filter {
                !object.isSame(values[$0.rowSlot], read[$0.rowSlot], of: $0)
            }.map(\.rowSlot)
            if changed != nil, replaced.isEmpty { return }
        }
        // What the child has read of unsaved objects is no row of a store.
        for slot in replaced where !read[slot].leadsToUnsaved { values[slot] = read[slot] }
        let row = object.layout.row(values, object.key, version: known)
        guard object.hasChanges else {
            object.state?.toOnes = [:]
            object.state?.decoded = [:]
            return object.snapshot = row
        }
        // The other ends stay as they are: what they are to be is settled with the conflict.
        _ = lay(changesOf: object, over: row)
    }
}

extension FieldValue {
    fileprivate var leadsToUnsaved: Bool {
        if case .reference(let key) = self { TemporaryIdentity.isTemporary(key.handle) } else { false }
    }
}
