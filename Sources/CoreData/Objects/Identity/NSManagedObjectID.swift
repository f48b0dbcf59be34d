@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

// Safe: all of it is constant.
/// A compact, universal identity of a managed object, usable across contexts, queues and processes.
///
/// An ID is temporary until its object is saved (or ``NSManagedObjectContext/obtainPermanentIDs(for:)`` is called), and
/// then never changes. IDs are immutable and may be passed to any thread (Apple: NSManagedObjectID).
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
    // Safe: the domain keeps the model, which keeps the layout.
    unowned(unsafe) final let layout: EntityLayout
    final let domain: IdentityDomain
    final let handle: Int64

    /// Makes the ID of a row; the domain is the store's.
    init(layout: EntityLayout, handle: Int64, in domain: IdentityDomain) {
        assert(layout.model === domain.model, "an identity's layout lives as long as its domain's model")
        self.layout = layout
        self.domain = domain
        self.handle = handle
    }

    /// Makes a temporary ID of no entity of any model, which no object has: what doubles in tests need.
    public override init() {
        layout = PlaceholderModel.layout
        handle = TemporaryIdentity.next()
        domain = UnsavedIdentity(handle: handle, model: PlaceholderModel.layout.model)
        super.init()
    }

    /// The model of the IDs that are of no model.
    private enum PlaceholderModel {
        /// Keeps the layout.
        private static let model: ModelLayout = {
            let model = NSManagedObjectModel()
            let entity = NSEntityDescription()
            entity.name = "NSManagedObject"
            model.entities = [entity]
            return ModelLayout.of(model)
        }()

        static var layout: EntityLayout { model.entities[0] }
    }

    convenience init(layout: EntityLayout, handle: Int64, store: NSPersistentStore) {
        self.init(layout: layout, handle: handle, in: store.identityDomain(in: layout.model))
    }

    /// The entity of the object: the most specific one, where known.
    open var entity: NSEntityDescription { layout.entity }

    /// The store that holds the object; nil for a temporary ID, and after the store has gone.
    open var persistentStore: NSPersistentStore? { domain.store }

    /// Whether the object has not been saved yet.
    open var isTemporaryID: Bool { domain.storeIdentifier == nil }

    /// The store's part of the URI; nil for a temporary ID.
    final var storeIdentifier: String? { domain.storeIdentifier }

    /// The entity's name.
    package final var entityName: String { layout.name }

    /// Whether the ID is of a store, or was before that was added again.
    final func belongs(to store: NSPersistentStore) -> Bool {
        persistentStore === store || domain.storeIdentifier != nil && domain.storeIdentifier == store.identifier
    }

    final var key: ObjectKey { ObjectKey(handle: handle, entityIndex: layout.index) }

    /// A URL that stands for the object: `x-coredata://<store>/<entity>/p<reference>`, or `…/t<unique>` while temporary.
    open func uriRepresentation() -> URL {
        ObjectURI(storeIdentifier: domain.storeIdentifier, entityName: layout.name, reference: referenceText).url
    }

    private final var referenceText: String {
        if isTemporaryID { return TemporaryIdentity.text(of: handle) }
        return domain.referenceTable?.text(of: handle) ?? String(handle)
    }

    /// Whether both name the same object.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        return self === other
            || handle == other.handle && domain.storeIdentifier == other.domain.storeIdentifier
                && layout.root.name == other.layout.root.name
    }

    /// The store is left out: few IDs of several stores meet in one set, and every ID in a set is hashed.
    open override var hash: Int { Int(truncatingIfNeeded: handle) }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The ID's address and the object's URI.
    open override var description: String {
        "\(ObjectAddress.text(of: self)) <\(uriRepresentation().absoluteString)>"
    }
}
