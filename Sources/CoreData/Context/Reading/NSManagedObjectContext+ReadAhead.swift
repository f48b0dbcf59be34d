@_spi(Engine) import CoreDataRows
import ManagedObjectModel

extension NSManagedObjectContext {
    /// The objects with these keys: those that the context has, and faults whose rows are read many at a time.
    func faults(for keys: [ObjectKey], below root: EntityLayout, storeIndex: UInt16, _ batchedFaults: BatchedFaults)
        -> [NSManagedObject]
    {
        // One object has no neighbours, but what the request wants to be done after reading is to be done for it too.
        guard keys.count > 1 || batchedFaults.afterReading != nil else {
            return keys.map { object(for: $0, storeIndex: storeIndex) }
        }
        let page = RowPage(identities: keys, model: model, readingPlan: batchedFaults)
        let maker = ObjectMaker(context: self, storeIndex: storeIndex)
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(keys.count)
        registry.objects(
            store: storeIndex, rows: page, root: root,
            make: { maker.object(of: page, row: $0) },
            found: { object, row in
                guard object.flags.contains(.fault), object.snapshotPage == nil else { return }
                object.snapshotPage = page
                object.snapshotRow = Int32(row)
            },
            append: { objects.append($0) })
        return objects
    }

    /// The row of a fault that came without one; those of its neighbours are read along with it.
    func readAhead(for object: NSManagedObject, from page: RowPage, _ plan: BatchedFaults, in store: NSPersistentStore)
        throws -> RowRef?
    {
        let root = object.layout.root
        var waiting: [Int64: NSManagedObject] = [:]
        var keys: [ObjectKey] = []
        var group: [NSManagedObject] = []
        for row in plan.rows(with: Int(object.snapshotRow), of: page.count) {
            let key = page.key(row)
            guard let neighbour = neighbour(at: row, of: page, storeIndex: object.storeIndex) else { continue }
            group.append(neighbour)
            if neighbour !== object, let cached = rowCache(of: store).row(for: key, root: root) {
                if neighbour.canBeRead(from: cached) { neighbour.snapshot = cached }
                continue
            }
            waiting[key.handle] = neighbour
            keys.append(key)
        }
        var own: RowRef?
        // A row that can't be read mustn't take its neighbours along.
        guard let pages = try? coordinator.loadRows(keys, from: store, in: self) else {
            let alone = try coordinator.loadRow(page.key(Int(object.snapshotRow)), from: store, in: self)
            if let alone { rowCache(of: store).register(alone.page, root: root) }
            return alone
        }
        for found in pages {
            rowCache(of: store).register(found, root: root)
            for row in 0..<found.count {
                let reference = RowRef(page: found, row: row)
                guard let neighbour = waiting[found.handle(row)], neighbour.canBeRead(from: reference) else { continue }
                if neighbour === object { own = reference } else { neighbour.snapshot = reference }
            }
        }
        if let own, let afterReading = plan.afterReading {
            object.snapshot = own
            try afterReading(group)
        }
        return own
    }

    /// A fault that came without a row, and those whose rows are to be read along with it.
    func neighbours(of object: NSManagedObject, on page: RowPage, _ plan: BatchedFaults) -> [NSManagedObject] {
        plan.rows(with: Int(object.snapshotRow), of: page.count).compactMap {
            neighbour(at: $0, of: page, storeIndex: object.storeIndex)
        }
    }

    /// The object of a row of identities, if it is still a fault without values.
    private func neighbour(at row: Int, of page: RowPage, storeIndex: UInt16) -> NSManagedObject? {
        guard let object = registry.object(store: storeIndex, layout: page.layout(row), handle: page.handle(row)),
            object.flags.contains(.fault), object.snapshotPage === page
        else { return nil }
        return object
    }

    // MARK: To-one relationships

    /// Arranges that a fault's row is read together with those of the destinations of the next objects on the object's
    /// page, more and more of them.
    ///
    /// - Parameter destination: a fault without a row that the object's to-one leads to.
    func readAhead(of property: PropertyLayout, from object: NSManagedObject, to destination: NSManagedObject) {
        relationshipRuns.recordFault(at: property, to: destination)
        guard let root = property.destination?.root, let page = object.snapshotPage,
            page.batchedFaults == nil, registry.store(at: object.storeIndex)?.traits.contains(.readsManyAtOnce) ?? false
        else { return }
        var owners: [(NSManagedObject, Int64)] = []
        var keys = [destination.key]
        let others = siblings(of: object, missing: property) { $0.state?.toOnes[property.index] == nil }
        for other in others {
            guard case .reference(let key) = other.field(property), key.handle != StoreRowBuilder.unread,
                !TemporaryIdentity.isTemporary(key.handle)
            else {
                continue
            }
            owners.append((other, key.handle))
            keys.append(key)
        }
        let distinct = keys.uniqued()
        guard distinct.count > 1 else { return }
        let faults = faults(
            for: distinct, below: root, storeIndex: object.storeIndex, BatchedFaults(.batches(distinct.count)))
        let byHandle = Dictionary(zip(distinct.map(\.handle), faults)) { first, _ in first }
        for (owner, handle) in owners {
            if let found = byHandle[handle] { owner.writableState.toOnes[property.index] = .some(found) }
        }
    }

    /// The objects behind one on its page of rows that lack the same relationship, as many as seem to be wanted.
    func siblings(
        of object: NSManagedObject, missing property: PropertyLayout, _ isMissing: (NSManagedObject) -> Bool
    ) -> [NSManagedObject] {
        guard let page = object.snapshotPage, page.count > 1 else { return [] }
        let wanted = relationshipRuns.siblingCount(of: property, on: page)
        guard wanted > 0 else { return [] }
        var found: [NSManagedObject] = []
        var row = Int(object.snapshotRow) + 1
        let end = row + page.count - 1
        while found.count < wanted, row < end {
            let place = row % page.count
            row += 1
            guard
                let other = registry.object(
                    store: object.storeIndex, layout: page.layout(place), handle: page.handle(place)),
                // Those of deleted objects are read for the delete rules, and for all of these one after the other.
                other !== object, other.snapshotPage === page, !other.wasNeverSaved,
                other.isToBeDeleted == object.isToBeDeleted,
                isMissing(other),
                other.layout.property(named: property.name)?.isSameProperty(as: property) ?? false
            else { continue }
            found.append(other)
        }
        relationshipRuns.recordSiblings(found.count, of: wanted, property)
        return found
    }
}
