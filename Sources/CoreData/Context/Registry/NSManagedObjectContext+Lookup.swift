@_spi(Engine) import CoreDataRows
import ManagedObjectModel

extension NSManagedObjectContext {
    /// The registry's number of the store that an ID is of; nil where that isn't one of the coordinator's, or isn't any more.
    func storeIndex(of objectID: NSManagedObjectID) -> UInt16? {
        if objectID.isTemporaryID { return 0 }
        return coordinator.store(of: objectID).map(storeIndex)
    }

    /// A fault for an ID that leads nowhere. It becomes an object without values when it is fired.
    func unreachableObject(_ objectID: NSManagedObjectID) -> NSManagedObject {
        let layout = model.entity(named: objectID.entityName) ?? objectID.layout
        let object = layout.makeObject()
        object.becomeFault(of: objectID.key, storeIndex: 0, registry: registry)
        object.cachedID = objectID
        return object
    }

    // MARK: By key

    /// Where an object is registered that a row, an ID or another context names: a temporary identity may have become a
    /// permanent one since.
    func registration(of key: ObjectKey, storeIndex: UInt16) -> (key: ObjectKey, storeIndex: UInt16) {
        adoptPermanentIdentities()
        guard TemporaryIdentity.isTemporary(key.handle) else { return (key, storeIndex) }
        guard let permanent = family?.permanentIdentity(of: key.handle) else { return (key, 0) }
        return (permanent.key, self.storeIndex(of: permanent.store))
    }

    func registration(of identity: ObjectIdentity) -> (key: ObjectKey, storeIndex: UInt16) {
        withExtendedLifetime(identity.unsaved) {
            registration(of: identity.key, storeIndex: identity.store.map(storeIndex) ?? 0)
        }
    }

    /// Where an object is registered that an ID names, which is of one of the coordinator's stores or temporary.
    func registration(of objectID: NSManagedObjectID, storeIndex: UInt16) -> (key: ObjectKey, storeIndex: UInt16) {
        // The ID may be older than the family.
        if let family, let identity = objectID.unsavedIdentity, identity.model === model { family.join(identity) }
        return withExtendedLifetime(objectID) { registration(of: objectID.key, storeIndex: storeIndex) }
    }

    func identity(of key: ObjectKey, storeIndex: UInt16) -> ObjectIdentity {
        ObjectIdentity(
            store: registry.store(at: storeIndex), key: key, layout: model.entities[Int(key.entityIndex)],
            unsaved: storeIndex == 0 ? family?.identity(of: key.handle, in: model) : nil)
    }

    func knownObject(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue("registeredObject(for:)")
        guard let known = storeIndex(of: objectID) else { return nil }
        let (key, storeIndex) = registration(of: objectID, storeIndex: known)
        return registeredObject(for: key, layout: objectID.layout, storeIndex: storeIndex)
    }

    func objectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue("object(with:)")
        guard let known = storeIndex(of: objectID) else { return unreachableObject(objectID) }
        let (key, storeIndex) = registration(of: objectID, storeIndex: known)
        return withExtendedLifetime(objectID) { object(for: key, storeIndex: storeIndex) }
    }

    func realizedObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue("existingObject(with:)")
        guard storeIndex(of: objectID) != nil else { throw CoreDataError.unreachableObject(objectID, in: coordinator) }
        let object = object(with: objectID)
        guard !object.flags.contains(.inaccessible), try object.realize(in: self) else {
            throw CoreDataError.missingObject(objectID)
        }
        return object
    }

    /// The instance at a place if the context has one.
    func registeredObject(for key: ObjectKey, layout: EntityLayout, storeIndex: UInt16) -> NSManagedObject? {
        let object = registry.object(store: storeIndex, layout: layout, handle: key.handle)
        guard let object, object.layout !== layout else { return object }
        return isKnownStranger(object) ? nil : object
    }

    /// Whether an object that nothing was read of yet stands for a row of another entity, as the ID of a stranger has made it.
    private func isKnownStranger(_ object: NSManagedObject) -> Bool {
        guard object.flags.contains(.fault), object.snapshotPage == nil, !object.flags.contains(.inserted),
            let store = registry.store(at: object.storeIndex)
        else { return false }
        return coordinator.isOfAnotherEntity(object.handle, object.layout, in: store)
    }

    /// The instance for a key of a store, as a fault if the context doesn't have it.
    func object(for key: ObjectKey, storeIndex: UInt16) -> NSManagedObject {
        object(for: key, layout: model.entities[Int(key.entityIndex)], storeIndex: storeIndex)
    }

    func object(for identity: ObjectIdentity) -> NSManagedObject {
        withExtendedLifetime(identity.unsaved) {
            object(for: identity.key, layout: identity.layout, storeIndex: identity.store.map(storeIndex) ?? 0)
        }
    }

    func object(for key: ObjectKey, layout: EntityLayout, storeIndex: UInt16) -> NSManagedObject {
        let (known, storeIndex) = registration(of: key, storeIndex: storeIndex)
        // What has taken the place of an unsaved object may be one of another entity.
        let layout = known == key ? layout : model.entities[Int(known.entityIndex)]
        let key = known
        if let object = registeredObject(for: key, layout: layout, storeIndex: storeIndex) { return object }
        let object = layout.makeObject()
        object.becomeFault(of: key, storeIndex: storeIndex, registry: registry)
        registry.register(object)
        if storeIndex == 0, family != nil { _ = object.unsavedIdentity }
        if retainsRegisteredObjects { retained.insert(object) }
        return object
    }

    // MARK: By relationship

    /// The destination that a row of an object names.
    func destination(_ key: ObjectKey, of property: PropertyLayout, from object: NSManagedObject) throws
        -> NSManagedObject?
    {
        if key.handle == StoreRowBuilder.unread { return try destinations(of: property, from: object).first }
        if object.storeIndex != 0 || TemporaryIdentity.isTemporary(key.handle) {
            return self.object(for: key, storeIndex: object.storeIndex)
        }
        // The row of an object that no store has says nothing of the destination's store.
        let stores = coordinator.persistentStores
        guard stores.count == 1 else { return try destinations(of: property, from: object).first }
        return self.object(for: key, storeIndex: storeIndex(of: stores[0]))
    }

    /// The destinations of a relationship, as faults if the context doesn't have them.
    func destinations(of property: PropertyLayout, from object: NSManagedObject) throws -> [NSManagedObject] {
        try followingExchanges {
            if property.kind == .toMany { return try parentStore.members(of: property, from: object, in: self) }
            return try parentStore.destinations(of: property, from: object.identity, in: self).map {
                self.object(for: $0)
            }
        }
    }

    /// Whether two keys, or a key and an object, are of the same object, whichever of them is still temporary.
    func isSame(_ left: ObjectKey, _ right: ObjectKey) -> Bool {
        left.handle == right.handle
            || registration(of: left, storeIndex: 0).key.handle == registration(of: right, storeIndex: 0).key.handle
    }
}
