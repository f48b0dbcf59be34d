@_spi(Engine) import CoreDataRows

// Safe: all of it is constant, but for a weak reference, which the runtime guards.
/// What the identities of one store have in common, so that each of a million IDs needn't say it again.
class IdentityDomain: @unchecked Sendable {
    /// Keeps the layouts alive that identities refer to.
    final let model: ModelLayout
    private(set) final weak var store: NSPersistentStore?
    /// The store's part of object URIs; nil for the identities of objects that no store has yet.
    final let storeIdentifier: String?

    /// Outlives the store, as identities do.
    final let referenceTable: ReferenceTable?

    init(model: ModelLayout, store: NSPersistentStore?) {
        referenceTable = store?.referenceTable
        self.model = model
        self.store = store
        storeIdentifier = store?.identifier
    }

    /// Whether the store still goes by the same name, in the same model.
    final func isCurrent(for store: NSPersistentStore, model: ModelLayout) -> Bool {
        self.model === model && storeIdentifier == store.identifier
    }
}
