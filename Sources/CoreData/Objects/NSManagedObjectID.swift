import Foundation
import FoundationCompat
import ManagedObjectModel

/// A compact, universal identity of a managed object, usable across contexts, queues and processes.
///
/// An ID is temporary until its object is saved (or ``NSManagedObjectContext/obtainPermanentIDs(for:)`` is called), and
/// then never changes. IDs are immutable and may be passed to any thread (Apple: NSManagedObjectID).
public final class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
    unowned(unsafe) let layout: EntityLayout
    let domain: IdentityDomain
    let handle: Int64

    /// Makes the ID of a row; the domain is the store's.
    init(layout: EntityLayout, handle: Int64, in domain: IdentityDomain) {
        assert(layout.model === domain.model, "an identity's layout lives as long as its domain's model")
        self.layout = layout
        self.domain = domain
        self.handle = handle
    }

    convenience init(layout: EntityLayout, handle: Int64, store: NSPersistentStore) {
        self.init(layout: layout, handle: handle, in: store.identityDomain(in: layout.model))
    }

    /// The entity of the object: the most specific one, where known.
    public var entity: NSEntityDescription { layout.entity }

    /// The store that holds the object; nil for a temporary ID, and after the store has gone.
    public var persistentStore: NSPersistentStore? { domain.store }

    /// Whether the object has not been saved yet.
    public var isTemporaryID: Bool { domain.storeIdentifier == nil }

    /// The store's part of the URI; nil for a temporary ID.
    var storeIdentifier: String? { domain.storeIdentifier }

    /// The entity's name.
    public var entityName: String { layout.name }

    /// Whether the ID is of a store, or was before that was added again.
    func belongs(to store: NSPersistentStore) -> Bool {
        persistentStore === store || domain.storeIdentifier != nil && domain.storeIdentifier == store.identifier
    }

    var key: ObjectKey { ObjectKey(handle: handle, entityIndex: layout.index) }

    /// A URL that stands for the object: `x-coredata://<store>/<entity>/p<reference>`, or `…/t<unique>` while temporary.
    public func uriRepresentation() -> URL {
        ObjectURI(storeIdentifier: domain.storeIdentifier, entityName: layout.name, reference: referenceText).url
    }

    private var referenceText: String {
        if isTemporaryID { return TemporaryIdentity.text(of: handle) }
        return domain.referenceTable?.text(of: handle) ?? String(handle)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return self === other
            || handle == other.handle && domain.storeIdentifier == other.domain.storeIdentifier
                && layout.root.name == other.layout.root.name
    }

    /// The store is left out: few IDs of several stores meet in one set, and every ID in a set is hashed.
    public override var hash: Int { Int(truncatingIfNeeded: handle) }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override var description: String {
        let state = isTemporaryID ? "temporary" : "permanent"
        return "<\(uriRepresentation().absoluteString)> (\(state))"
    }
}
