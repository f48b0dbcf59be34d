@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Reads one relationship of many objects of a store.
struct PrefetchedRelationship {
    let name: String
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    /// The destinations of all owners, with their rows. Where several owners share one, it may come several times.
    func destinations(of owners: [NSManagedObject]) throws -> [NSManagedObject] {
        // Objects of subentities have a layout of their own; the property's place is the same in all.
        guard let property = owners.lazy.compactMap({ $0.layout.property(named: name) }).first, !property.isTransient
        else { return [] }
        return property.kind == .toOne ? try toOnes(of: owners, property) : try toManys(of: owners, property)
    }

    // MARK: To-one

    private func toOnes(of owners: [NSManagedObject], _ property: PropertyLayout) throws -> [NSManagedObject] {
        guard let root = property.destination?.root, property.rowSlot >= 0 else { return [] }
        var known: [NSManagedObject] = []
        var waiting: [(owner: NSManagedObject, handle: Int64)] = []
        var keys: [Int64: ObjectKey] = [:]
        for owner in owners {
            if let destination = owner.state?.toOnes[property.index] {
                if let destination { known.append(destination) }
                continue
            }
            if owner.snapshot == nil { owner.fireIfNeeded() }
            guard case .reference(let key) = owner.field(property), key.handle != StoreRowBuilder.unread else {
                continue
            }
            waiting.append((owner, key.handle))
            keys[key.handle] = key
        }
        let found = try objects(of: keys, below: root)
        for (owner, handle) in waiting {
            if let destination = found[handle] { owner.writableState.toOnes[property.index] = .some(destination) }
        }
        try readMissingRows(of: known, below: root)
        return known + found.values
    }

    /// The objects with these keys, with rows that the context or the row cache has, or else the store.
    private func objects(of keys: [Int64: ObjectKey], below root: EntityLayout) throws -> [Int64: NSManagedObject] {
        let storeIndex = context.storeIndex(of: store)
        var found: [Int64: NSManagedObject] = [:]
        var missing: [ObjectKey] = []
        for (handle, key) in keys {
            let entity = context.model.entities[Int(key.entityIndex)]
            if let object = context.registry.object(store: storeIndex, layout: entity, handle: handle),
                !object.flags.contains(.fault) || object.snapshot != nil
            {
                found[handle] = object
            } else if let cached = context.rowCache(of: store).row(for: key, root: root) {
                let object = context.object(for: cached.key, storeIndex: storeIndex)
                if object.canBeRead(from: cached) { object.adopt(cached) }
                found[handle] = object
            } else {
                missing.append(key)
            }
        }
        for object in try read(missing, below: root) { found[object.handle] = object }
        return found
    }

    private func read(_ keys: [ObjectKey], below root: EntityLayout) throws -> [NSManagedObject] {
        guard !keys.isEmpty else { return [] }
        let sorted = keys.sorted { $0.handle < $1.handle }
        let pages = try context.coordinator.loadRows(sorted, from: store, in: context)
        var objects: [NSManagedObject] = []
        context.materialize(pages, of: root, from: store, into: &objects)
        return objects
    }

    private func readMissingRows(of objects: [NSManagedObject], below root: EntityLayout) throws {
        let missing = objects.filter { $0.flags.contains(.fault) && $0.snapshot == nil && $0.storeIndex != 0 }
        _ = try read(missing.map(\.key).uniqued(), below: root)
    }

    // MARK: To-many

    private func toManys(of owners: [NSManagedObject], _ property: PropertyLayout) throws -> [NSManagedObject] {
        guard let root = property.destination?.root else { return [] }
        var known: [NSManagedObject] = []
        var places: [Int64: Int] = [:]
        var waiting: [NSManagedObject] = []
        for owner in owners {
            if let value = owner.state?.toManys[property.index], value.isLoaded {
                known += value.ordered
            } else if !owner.wasNeverSaved, places[owner.handle] == nil {
                places[owner.handle] = waiting.count
                waiting.append(owner)
            }
        }
        try readMissingRows(of: known, below: root)
        guard !waiting.isEmpty else { return known }
        let keys = waiting.map(\.key)
        let rows = try context.coordinator.loadDestinationRows(
            of: property, from: keys, in: store, context: context)
        var objects: [NSManagedObject] = []
        context.materialize(rows.pages, of: root, from: store, into: &objects)
        var members = [[NSManagedObject]](repeating: [], count: waiting.count)
        for pair in rows.pairs {
            if let place = places[pair.owner] { members[place].append(objects[Int(pair.row)]) }
        }
        for (owner, members) in zip(waiting, members) { owner.load(members, asMembersOf: property) }
        return known + objects
    }
}
