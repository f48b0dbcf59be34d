@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// An object of the graph: an instance of an entity, with its values in the context and in the store.
///
/// A managed object belongs to one context and may be used on that context's queue only; its ``objectID`` may go
/// anywhere. A fetched object is usually a fault: its values are read when they are first asked for.
///
/// Subclasses may override ``awakeFromInsert()``, ``awakeFromFetch()``, ``willSave()`` and their like, the validation
/// methods and `init(entity:insertInto:)`; they don't override identity, equality or the primitive accessors
/// (Apple: NSManagedObject, "Subclassing Notes").
open class NSManagedObject: ExchangeableObject {
    // Safe: `owner` keeps it alive.
    unowned(unsafe) final let layout: EntityLayout
    // Safe: an object is used on its context's queue, and nothing below runs while one of these is being changed; so the
    // compiler needn't check every access.
    /// The registry, or the model's layout while the object belongs to none: either keeps ``layout`` alive.
    @exclusivity(unchecked) private final var owner: AnyObject
    /// The number that, with the store, makes the identity.
    @exclusivity(unchecked) final var handle: Int64
    /// The page of ``snapshotPage``, retained by hand: an accessor that reads one value of it needn't retain it again.
    @exclusivity(unchecked) private(set) final var unretainedPage: Unmanaged<RowPage>?
    @exclusivity(unchecked) final var snapshotRow: Int32 = 0
    /// The registry's number of the store; 0 while the identity is temporary.
    @exclusivity(unchecked) final var storeIndex: UInt16 = 0
    @exclusivity(unchecked) final var flags: ObjectFlags = []
    /// The place in the context's list of inserted, updated or deleted objects.
    @exclusivity(unchecked) final var changeIndex: Int32 = -1
    @exclusivity(unchecked) final var cachedID: NSManagedObjectID?
    @exclusivity(unchecked) final var state: ObjectState?

    // MARK: Making

    /// Makes an object of an entity, with the model's default values, and inserts it into a context. Where that is nil,
    /// the object belongs to no context.
    ///
    /// `NSManagedObject(entity:insertInto:)`, like that of any class above it, gives an instance of the class that the model names
    /// for the entity. The entity may be of any model, or of none, and the context needn't have a coordinator before it is saved. `awakeFromInsert()` runs before
    /// this returns, if there is a context. The entity must not be abstract. Call it on the context's queue (Apple:
    /// `init(entity:insertInto:)`).
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        let owned = OwnedLayout(of: entity, in: context)
        layout = owned.layout
        handle = 0
        if !owned.isSeeded, layout.objectClass != Self.self, layout.objectClass is Self.Type {
            owner = owned.model
            ExchangeableObject.makeReady()
            super.init(exchangedFor: owned.objectOfOwnClass(in: context))
            return
        }
        if let context {
            let registry = context.registry(orOf: owned.model)
            registry.keep(owned.model)
            owner = registry
        } else {
            owner = owned.model
        }
        super.init()
        if ChangeNoticeOverrides.areOverridden(by: Self.self, of: layout) { flags.insert(.announcesChanges) }
        if let context {
            precondition(!layout.isAbstract, "Cannot insert an instance of the abstract entity '\(layout.name)'")
            becomeNew()
            context.register(inserted: self)
        } else if !owned.isSeeded {
            setDefaultValues()
        }
    }

    /// Makes an object of the class's entity that is in no context, and logs that this is the wrong initialiser, as
    /// Apple's does.
    public override convenience init() {
        CoreDataLog.warn(
            "error: Failed to call designated initializer on NSManagedObject class '\(Self.self)': use init(context:).")
        self.init(entity: Self.entity(), insertInto: nil)
    }

    /// Makes an object from a seed by the class's own initialiser; called by `made(by:)`.
    @usableFromInline convenience init(grownFrom seed: ManagedObjectSeed) {
        let outer = seed.begin()
        self.init(entity: seed.entity, insertInto: seed.insertionContext)
        ManagedObjectSeed.end(outer)
    }

    // MARK: The class

    /// The name of the class, with its module (Apple: NSObject's class method; without the module where the class has a name of
    /// its own in `@objc(Name)`).
    open class func description() -> String { NSStringFromClass(self) }

    /// The entity of the class: in the models that coordinators use, the newest first, or in those that were compiled into the
    /// program. Where no model has one, an error is logged, and the entity has the class's name and no properties.
    ///
    /// Classes of programmatic models may override it (Apple: `entity()`).
    open class func entity() -> NSEntityDescription {
        LoadedModels.shared.entity(ofClass: self)
    }

    /// A request for all objects of the class's entity.
    ///
    /// Generated classes have one of their own type, which is preferred where both fit.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = entity()
        return request
    }

    deinit {
        (owner as? ObjectRegistry)?.unregister(self)
        if flags.contains(.observed) { forgetObservers() }
        unretainedPage?.release()
    }

    /// The page that holds the object's row as it was read or last saved; nil for a new object, or before a fault is fired.
    final var snapshotPage: RowPage? {
        get { unretainedPage?.takeUnretainedValue() }
        set {
            let previous = unretainedPage
            unretainedPage = newValue.map(Unmanaged.passRetained)
            previous?.release()
        }
    }

    /// The objects of the same context; one of its own for an object that has none.
    final var registry: ObjectRegistry {
        get {
            if let registry = owner as? ObjectRegistry { return registry }
            let detached = ObjectRegistry(model: layout.model, context: nil)
            owner = detached
            return detached
        }
        set {
            newValue.keep(layout.model)
            owner = newValue
        }
    }

    /// Takes the identity of a row; the values are read when the fault is fired.
    final func becomeFault(of key: ObjectKey, storeIndex: UInt16, registry: ObjectRegistry) {
        self.registry = registry
        self.storeIndex = storeIndex
        handle = key.handle
        flags = flags.intersection(.announcesChanges).union(.fault)
    }

    // MARK: Identity

    /// The entity of the object.
    open var entity: NSEntityDescription { layout.entity }

    /// The identity of the object. Temporary until it is saved.
    open var objectID: NSManagedObjectID {
        if storeIndex == 0 {
            if handle == 0 { handle = TemporaryIdentity.next() }
            ownContext?.adoptPermanentIdentities()
        }
        if let cachedID { return cachedID }
        let isUnsaved = storeIndex == 0 && state?.reservation?.handle == nil
        return objectID(in: isUnsaved ? unsavedIdentity(of: handle) : registry.identityDomain(at: savedStoreIndex))
    }

    /// The identity of this or another unsaved object, shared by the contexts of its family.
    final func unsavedIdentity(of handle: Int64) -> UnsavedIdentity {
        ownContext?.family?.identity(of: handle, in: registry.model)
            ?? UnsavedIdentity(handle: handle, model: registry.model)
    }

    /// The ID, for callers that already know the domain of the store that holds the object, or will hold it.
    final func objectID(in domain: IdentityDomain) -> NSManagedObjectID {
        if let cachedID { return cachedID }
        let handle = state?.reservation?.handle ?? handle
        let id: NSManagedObjectID
        if layout.model === domain.model {
            id = NSManagedObjectID(layout: layout, handle: handle, in: domain)
        } else if let counterpart = domain.model.entity(named: layout.name) {
            // The object was made of an equal copy of the context's model.
            id = NSManagedObjectID(layout: counterpart, handle: handle, in: domain)
        } else {
            id = NSManagedObjectID(
                layout: layout, handle: handle, in: IdentityDomain(model: layout.model, store: domain.store))
        }
        cachedID = id
        return id
    }

    /// The context, or nil when the object was deleted and saved, was never inserted, or outlived its context.
    open var managedObjectContext: NSManagedObjectContext? { ownContext }

    /// The same, without calling a subclass's override; read with every change of a value.
    final var ownContext: NSManagedObjectContext? { flags.contains(.invalidated) ? nil : registry.context }

    /// Identity in memory: a context has one instance an object.
    open override func isEqual(_ object: Any?) -> Bool { (object as? NSManagedObject) === self }
    /// A hash of the address: objects are aligned to sixteen bytes, and hash tables scatter the value themselves.
    open override var hash: Int {
        Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4
    }

    /// The entity, the ID, and the values, or that the object is a fault: nothing is read for it.
    open override var description: String {
        "<\(type(of: self)): \(ObjectAddress.text(of: self))> (entity: \(layout.name); id: \(objectID); data: "
            + "\(isFault ? "<fault>" : ObjectDescription.values(of: self)))"
    }

    // MARK: State

    /// Whether the object was inserted and not yet saved.
    open var isInserted: Bool { flags.contains(.inserted) }
    /// Whether the object has unsaved changes.
    open var isUpdated: Bool { flags.contains(.updated) }
    /// Whether the next save deletes the object, or others have deleted it, which was merged since the last save.
    open var isDeleted: Bool { isToBeDeleted || flags.contains(.deletionMerged) }
    /// Whether the object was inserted, updated or deleted since the last save.
    open var hasChanges: Bool { !flags.isDisjoint(with: .changed) }
    /// Whether the values are still to be read.
    open var isFault: Bool { flags.contains(.fault) }
    /// 0 when the object's values are loaded and it isn't about to become a fault.
    open var faultingState: Int { flags.isDisjoint(with: [.fault, .inTransition]) ? 0 : 1 }

    /// The persistent properties that changed since the last fetch or save, with their new values (nil as `NSNull`).
    open func changedValues() -> [String: Any] { unsavedValues }

    /// The properties that changed since changes were last processed, with the values that they had before.
    ///
    /// Apple's page says "new values", but what its framework returns, and code relies on, are the old ones (observed).
    open func changedValuesForCurrentEvent() -> [String: Any] { valuesBeforeEvent }

    /// The last fetched or saved values of the persistent properties (nil as `NSNull`); nil keys mean all.
    ///
    /// For an object that was never saved: its initial values, without those that are nil (seen in tests of CoreDataPlus).
    open func committedValues(forKeys keys: [String]?) -> [String: Any] { savedValues(forKeys: keys) }

    /// Whether a persistent property differs from what the store holds.
    open var hasPersistentChangedValues: Bool { differsFromStore }

    /// Whether a relationship's destinations are still to be read.
    open func hasFault(forRelationshipNamed key: String) -> Bool { isUnread(relationshipNamed: key) }

    /// The IDs of a relationship's destinations, read without making objects of them.
    open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        destinationIDs(ofRelationshipNamed: key)
    }

    /// Whether changes to keys that the model doesn't have leave the object clean: always so on Linux.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: Events in an object's life

    /// Called once in the object's life, when it is first inserted. Set initial values by the primitive accessors. A fetch doesn't end the event.
    open func awakeFromInsert() {}
    /// Called when the object's fault has been fired. Don't touch relationships here.
    open func awakeFromFetch() {}
    /// Called when several values were set at once from outside.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
    /// Called when the object is about to be deleted, its relationships still in place.
    open func prepareForDeletion() {}
    /// Called before the object is saved. It may change values; then it is called again.
    open func willSave() {}
    /// Called after the object was saved, deleted ones included.
    open func didSave() {}
    /// Called before the object becomes a fault, with its values still readable.
    open func willTurnIntoFault() {}
    /// Called after the object became a fault.
    open func didTurnIntoFault() {}

    // MARK: Validation

    /// Checks one value against the model's rules, and may replace it with one of the right type. Then has the class's method
    /// `validate<Key>` check it, where there is one that generated code made known (Apple: `validateValue(_:forKey:)`). Throws 1550 … 1680.
    open func validateValue(_ value: inout Any?, forKey key: String) throws {
        try checkValue(&value, forKey: key, by: .value)
    }
    /// The same, with the signature that it has on Apple's platforms. Override one of the two. Throws the same errors.
    open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        var checked: Any? = value.pointee
        try checkValue(&checked, forKey: key, by: .pointer)
        value.pointee = checked.map { $0 as AnyObject }
    }
    /// The same, for calls with `&value` as they are written on Apple's platforms. Throws the same errors.
    public final func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
        var checked: Any? = value
        try validateValue(&checked, forKey: key)
        value = checked.map { $0 as AnyObject }
    }
    /// Checks whether the object may be saved as a new one. Call super first. Throws 1550 … 1680, several as 1560.
    open func validateForInsert() throws { try ObjectValidation.validateProperties(of: self) }
    /// Checks whether the object's changes may be saved. Call super first. Throws 1550 … 1680, several as 1560.
    open func validateForUpdate() throws { try ObjectValidation.validateProperties(of: self) }
    /// Checks whether the object may be deleted. Call super first. Throws 1600, several as 1560.
    open func validateForDelete() throws { try ObjectValidation.validateDeletion(of: self) }

    // MARK: Key-value coding

    /// The value of a property, as a number, string, date, object or collection. Fires the fault.
    ///
    /// A property that the class declares itself comes first, where generated code has registered it: one that is
    /// Objective-C's on Apple's platforms, as a getter for a transient attribute is.
    open func value(forKey key: String) -> Any? {
        if let declared = DeclaredProperties.value(of: self, forKey: key) { return declared.value }
        guard let property = layout.property(named: key) else { return value(forUnmodeledKey: key) }
        recordRead(property)
        return value(of: property)
    }

    /// Sets the value of a property, marks the object as changed, and keeps the inverse up.
    ///
    /// The key "Date" sets `date`, too: its setter is `setDate:`, by which Apple's framework finds it.
    open func setValue(_ value: Any?, forKey key: String) {
        if setDeclared(value, forKey: key) { return }
        guard let property = layout.property(named: key) ?? property(withSetterOf: key) else {
            setValue(value, forUndefinedKey: key)
            return
        }
        if value == nil, property.kind.isScalar { return setNilValueForKey(property.name) }
        setValue(value, of: property)
    }

    /// The value of a property, without firing faults' events or notifying observers (Apple:
    /// `primitiveValue(forKey:)`).
    ///
    /// That of a to-many is the set itself, mutable and ordered as the relationship is. Call `willChangeValue` and
    /// `didChangeValue` around changes of it, in any of their forms; then the object counts as changed, and the inverse
    /// is kept up.
    open func primitiveValue(forKey key: String) -> Any? { primitiveValueOfProperty(forKey: key) }

    /// Sets the value of a property without notifying observers and without keeping the inverse up.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) { setPrimitiveValueOfProperty(value, forKey: key) }

    /// Called for a key that the entity doesn't have. Stops the program unless it is overridden, or the class has a stored
    /// property of that name; a fetch whose predicate has asked for it throws.
    open func value(forUndefinedKey key: String) -> Any? {
        // A class without such a property stops the program just below, with the key.
        if let stored = try? MirroredProperties.value(of: self, forKey: key, below: NSManagedObject.self) {
            return stored
        }
        if UndefinedKeys.record(key, of: layout) { return nil }
        fatalError("the entity \(layout.name) is not key value coding-compliant for the key \"\(key)\".")
    }

    /// Called for a key that the entity doesn't have. Stops the program unless it is overridden.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        fatalError("the entity \(layout.name) is not key value coding-compliant for the key \"\(key)\".")
    }

    /// Sets a property to nil where its type has no nil; numbers, Booleans and dates come here. The property becomes nil unless a
    /// subclass sets something else (Apple's raises an exception for scalar properties).
    open func setNilValueForKey(_ key: String) {
        if let property = layout.property(named: key) { setValue(nil, of: property) }
    }

    // MARK: Key-value observing

    /// Called on an object that observes others, after a change, and before it with the option `.prior`. The program stops where
    /// it isn't overridden.
    open func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        fatalError(
            "An observeValue(forKeyPath:of:change:context:) message was received but not handled. Key path: "
                + "\(keyPath ?? "")")
    }

    /// The keys and key paths whose changes change the value for a key. Override it for computed properties that are
    /// observed, or declare `keyPathsForValuesAffecting<Key>` where generated code registers it.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        DeclaredMethods.keyPathsForValuesAffecting(key, of: self)
    }

    /// Whether `setValue(_:forKey:)` tells observers of a property that the class declares beside the model. Modelled
    /// properties tell by themselves.
    open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

    /// Whether the entity has a property of that name, or the class declares it (Apple: NSObjectProtocol).
    open func responds(to aSelector: Selector!) -> Bool {
        isAccessor(aSelector) || DeclaredNames.responds(self, to: aSelector)
    }

    // MARK: Access notifications

    /// Prepares for reading a value: fires the fault. A custom getter calls it before it reads the primitive value.
    open func willAccessValue(forKey key: String?) {
        fireIfNeeded(key)
        recordRead(key.flatMap(layout.property(named:)))
    }
    /// Ends reading a value.
    open func didAccessValue(forKey key: String?) {}

    /// Prepares for a change. A custom setter calls it before it sets the primitive value.
    open func willChangeValue(forKey key: String) {
        fireIfNeeded(key)
        if isAnnouncing(key) { return }
        guard let property = layout.property(named: key) else {
            if flags.contains(.observed) { KeyValueChanges.willChange(self, key) }
            return
        }
        if flags.contains(.observed) { tellWillChange([property]) }
        guard property.kind.isRelationship else { return }
        writableState.pendingChanges[key] = value(of: property)
    }

    /// Prepares for a change of a to-many relationship's members. A custom method that adds or removes some calls it before it
    /// changes the primitive value.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) { willChangeValue(forKey: inKey) }

    /// Ends a change of a to-many relationship's members.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) { finishChange(forKey: inKey, as: nil, otherwise: NSKeyValueChange(inMutationKind)) }

    /// Prepares for a change of places in an ordered to-many relationship. A custom method that changes some calls it before it
    /// changes the primitive value.
    open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        willChangeValue(forKey: key)
    }

    /// Ends a change of places in an ordered to-many relationship.
    open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        finishChange(forKey: key, as: nil, otherwise: changeKind)
    }

    /// Ends a change: tells the context, and keeps the inverse of a relationship up.
    open func didChangeValue(forKey key: String) { finishChange(forKey: key, as: .setting) }
}
