@_spi(Engine) import CoreDataRows
import CSwiftRuntime

// Safe: the tables and lists are behind a lock, all else is constant.
/// The objects of one context by identity. None of them is retained.
///
/// An object removes itself when it is deinitialised, which may happen on any thread; hence the lock, and hence a
/// look-up that retains only objects which aren't being deinitialised. Every object retains its registry, and the
/// registry retains the model's layout and the stores, so that an object always knows its entity and its ID.
final class ObjectRegistry: @unchecked Sendable {
    let model: ModelLayout
    /// Further models that objects were made of: equal copies of ``model``, as a rule.
    private var otherModels: [ModelLayout] = []
    /// Keeps the memory of the context allocated without retaining the context, so that ``context`` can find out on any
    /// thread whether it still exists. An unowned reference would do the same, but stops the program where a mirror
    /// reads it after the context has gone.
    private let contextPointer: UnsafeMutableRawPointer?
    private let lock = ExclusiveLock()
    // Safe: the registry's lock keeps accesses apart.
    /// Index 0 stands for "no store": the domain of temporary identities.
    @exclusivity(unchecked) private var stores: [NSPersistentStore?] = [nil]
    // Safe: the registry's lock keeps accesses apart.
    /// Those of the stores that want to know which objects are in use, in the same places. Every object that comes or goes is looked
    /// for here, so that no other store need be retained for it.
    @exclusivity(unchecked) private var watchers: [NSPersistentStore?] = [nil]
    // Safe: the registry's lock keeps accesses apart.
    /// By store and root entity. The lock keeps accesses apart, so that the compiler needn't check them.
    @exclusivity(unchecked) private var tables: [ObjectTable] = []
    private let entityCount: Int

    init(model: ModelLayout, context: NSManagedObjectContext?) {
        self.model = model
        entityCount = model.entities.count
        contextPointer = context.map { Unmanaged.passUnretained($0).toOpaque() }
        if let contextPointer { keep_memory(contextPointer) }
    }

    deinit {
        if let contextPointer { let_memory_go(contextPointer) }
    }

    /// The context, or nil when it is going or has gone.
    var context: NSManagedObjectContext? {
        guard let contextPointer, retain_unless_deinitializing(contextPointer) != nil else { return nil }
        return Unmanaged<NSManagedObjectContext>.fromOpaque(contextPointer).takeRetainedValue()
    }

    /// Retains the model of an object, so that the object always knows its entity.
    @inline(__always)
    func keep(_ other: ModelLayout) {
        if other !== model { keepFurther(other) }
    }

    private func keepFurther(_ other: ModelLayout) {
        lock.withLock {
            if !otherModels.contains(where: { $0 === other }) { otherModels.append(other) }
        }
    }

    // MARK: Stores

    /// The number by which objects of this registry refer to a store.
    func index(of store: NSPersistentStore) -> UInt16 {
        lock.withLock {
            if let index = stores.firstIndex(where: { $0 === store }) { return UInt16(index) }
            stores.append(store)
            watchers.append(store.traits.contains(.tracksRegistration) ? store : nil)
            return UInt16(stores.count - 1)
        }
    }

    /// The number of a store that was asked for before.
    func knownIndex(of store: NSPersistentStore) -> UInt16? {
        lock.withLock { stores.firstIndex { $0 === store }.map { UInt16($0) } }
    }

    func store(at index: UInt16) -> NSPersistentStore? {
        if index == 0 { return nil }
        return lock.withLock { stores[Int(index)] }
    }

    /// What the identities of a store's objects have in common.
    func identityDomain(at index: UInt16) -> IdentityDomain {
        store(at: index)?.identityDomain(in: model) ?? IdentityDomain(model: model, store: nil)
    }

    // MARK: Objects

    func register(_ object: NSManagedObject) {
        if ConcurrencyCheck.isOn { object.flags.insert(.watched) }
        let pointer = Unmanaged.passUnretained(object).toOpaque()
        let (index, rootIndex, handle) = (object.storeIndex, object.layout.rootIndex, object.handle)
        let (watcher, displaced) = lock.withLock { () -> (NSPersistentStore?, NSManagedObject?) in
            let (isNew, displaced) = table(index, rootIndex).add(pointer, object.layout, handle: handle)
            return (isNew ? watchers[Int(index)] : nil, displaced)
        }
        withExtendedLifetime(displaced) { watcher?.didRegister(object.objectID) }
    }

    func unregister(_ object: NSManagedObject) {
        let pointer = Unmanaged.passUnretained(object).toOpaque()
        let (index, rootIndex, handle) = (object.storeIndex, object.layout.rootIndex, object.handle)
        let watcher = lock.withLock { () -> NSPersistentStore? in
            table(index, rootIndex).remove(pointer, handle: handle) ? watchers[Int(index)] : nil
        }
        watcher?.didUnregister(object.objectID)
    }

    /// The object of an entity; else one of an entity below it, which ``NSManagedObjectContext/registeredObject(for:layout:storeIndex:)``
    /// looks at: the ID of a stranger may have made it, and it isn't the one that is looked for then.
    func object(store: UInt16, layout: EntityLayout, handle: Int64) -> NSManagedObject? {
        let object = lock.withLock { table(store, layout.rootIndex).object(for: handle) }
        guard let object, object.layout !== layout else { return object }
        let others = lock.withLock { table(store, layout.rootIndex).objects(for: handle) }
        if let exact = others.first(where: { $0.layout === layout }) { return exact }
        return others.first { $0.layout.isKind(of: layout) && !$0.flags.contains(.inaccessible) }
    }

    /// Makes room for so many objects of a hierarchy in all, before rows are made objects of which some may be here.
    func reserve(_ count: Int, store: UInt16, root: EntityLayout) {
        lock.withLock {
            let table = table(store, root.rootIndex)
            table.entries.reserve(max(0, count - table.entries.count))
        }
    }

    /// Finds or makes the object of every row, in order, with one turn of the lock for those that exist.
    func objects(
        store: UInt16, rows: RowPage, root: EntityLayout,
        make: (Int) -> NSManagedObject, found: (NSManagedObject, Int) -> Void,
        append: (NSManagedObject) -> Void
    ) {
        // The lock is not held while objects are made: their initialisers are the user's code.
        var existing: [NSManagedObject?] = []
        let isEmpty = lock.withLock {
            let table = table(store, root.rootIndex)
            if table.isEmpty { return true }
            existing.reserveCapacity(rows.count)
            for row in 0..<rows.count { existing.append(table.object(for: rows.handle(row))) }
            return false
        }
        for row in 0..<rows.count {
            if !isEmpty,
                let object = existing[row].flatMap({ object(of: RowRef(page: rows, row: row), store: store, known: $0) }
                )
            {
                found(object, row)
                append(object)
            } else {
                append(make(row))
            }
        }
    }

    /// The object of a row where one with its handle is known: an ID of a stranger may have made that of another entity of the
    /// hierarchy.
    @inline(__always)
    private func object(of row: RowRef, store: UInt16, known: NSManagedObject) -> NSManagedObject? {
        if known.layout.canRead(row) { return known }
        let others = lock.withLock { table(store, known.layout.rootIndex).objects(for: row.key.handle) }
        return others.first { $0.layout.canRead(row) }
    }

    /// All objects that are alive.
    func allObjects() -> [NSManagedObject] { lock.withLock { objects(in: tables[...]) } }

    /// The objects that no store has given an identity yet.
    func temporaryObjects() -> [NSManagedObject] { lock.withLock { objects(in: tables.prefix(entityCount)) } }

    /// Whether any object is alive.
    var hasObjects: Bool { lock.withLock { tables.contains { !$0.isEmpty } } }

    private func objects(in tables: ArraySlice<ObjectTable>) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        for table in tables { table.append(to: &objects) }
        return objects
    }

    private func table(_ store: UInt16, _ rootIndex: Int) -> ObjectTable {
        let index = Int(store) * entityCount + rootIndex
        while tables.count <= index { tables.append(ObjectTable()) }
        return tables[index]
    }
}
