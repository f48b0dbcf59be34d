import CoreData
import Foundation
import Testing

@Suite("A save into several stores")
@MainActor
struct JointSaveTests {
    /// Two stores of things, and a context; one thing, "A" and "B", in each.
    private struct TwoStores {
        let tree: ContextTree
        let stores: [NSPersistentStore]
        let things: [NSManagedObject]
        var context: NSManagedObjectContext { tree.root }

        @MainActor
        init(_ types: [NSPersistentStore.StoreType]) throws {
            tree = try ContextTree(model: ThingModel.make())
            let coordinator = tree.stack.container.persistentStoreCoordinator
            try coordinator.remove(coordinator.persistentStores[0])
            for (index, type) in types.enumerated() {
                try coordinator.addPersistentStore(
                    type: type, at: tree.stack.folder.appendingPathComponent("Store\(index)"))
            }
            stores = coordinator.persistentStores
            let context = tree.root
            things = ["A", "B"].map { context.make("Thing", ["name": $0, "size": 1]) }
            for (thing, store) in zip(things, stores) { context.assign(thing, to: store) }
            try context.save()
        }

        /// Another context of the coordinator changes the sizes of things that the context has read.
        @MainActor
        func changeElsewhere(_ changed: [NSManagedObject]) throws {
            let other = tree.sibling()
            for thing in changed { try other.existingObject(with: thing.objectID).setValue(50, forKey: "size") }
            try other.save()
        }

        @MainActor
        func stored(_ key: String) throws -> [Any?] {
            let other = tree.sibling()
            return try things.map { try other.existingObject(with: $0.objectID).value(forKey: key) }
        }

        func rename() {
            things[0].setValue("C", forKey: "name")
            things[1].setValue("D", forKey: "name")
        }
    }

    private nonisolated static let kinds: [[NSPersistentStore.StoreType]] = [
        [.sqlite, .sqlite], [.sqlite, .inMemory], [.inMemory, .sqlite], [.inMemory, .inMemory],
    ]

    @Test("A conflict in either store is a conflict for the merge policy, and nothing is written", arguments: kinds)
    func conflictWithoutPolicy(types: [NSPersistentStore.StoreType]) throws {
        for place in 0...1 {
            let two = try TwoStores(types)
            two.rename()
            try two.changeElsewhere([two.things[place]])
            let error = #expect(throws: NSError.self) { try two.context.save() }
            #expect(error?.code == NSManagedObjectMergeError)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            #expect(conflicts?.map(\.sourceObject) == [two.things[place]])
            #expect(try two.stored("name") as? [String] == ["A", "B"])
            #expect(two.context.updatedObjects == Set(two.things))
        }
    }

    @Test("A policy that resolves them has both stores saved", arguments: kinds)
    func conflictsResolved(types: [NSPersistentStore.StoreType]) throws {
        for places in [[0], [1], [0, 1]] {
            let two = try TwoStores(types)
            two.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            two.rename()
            try two.changeElsewhere(places.map { two.things[$0] })
            try two.context.save()
            #expect(try two.stored("name") as? [String] == ["C", "D"])
            #expect(try two.stored("size") as? [Int] == [0, 1].map { places.contains($0) ? 50 : 1 })
            #expect(!two.context.hasChanges)
        }
    }

    /// Two stores of a class that can't take anything back, under types of their own.
    private func stubbornStores() throws -> (TwoStores, [StubbornStore], [NSPersistentStore.StoreType]) {
        let types = (0...1).map { NSPersistentStore.StoreType(rawValue: "Stubborn\($0) \(UUID())") }
        for type in types { NSPersistentStoreCoordinator.registerStoreClass(StubbornStore.self, type: type) }
        let two = try TwoStores(types)
        return (two, two.stores.compactMap { $0 as? StubbornStore }, types)
    }

    private static func forget(_ types: [NSPersistentStore.StoreType]) {
        for type in types { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: type.rawValue) }
    }

    @Test("Stores that can't take anything back are each written once, whatever comes up in the next")
    func conflictAfterwards() throws {
        let (two, stores, types) = try stubbornStores()
        defer { Self.forget(types) }
        two.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        two.rename()
        for store in stores { store.refusesNext = true }
        try two.context.save()
        #expect(stores.map(\.saves) == [2, 2])
        #expect(!two.context.hasChanges)
    }

    @Test("What a store has committed before another fails is saved, and isn't written again with the rest")
    func committedInPart() throws {
        let (two, stores, types) = try stubbornStores()
        defer { Self.forget(types) }
        // The store that commits last fails.
        stores[0].failsNext = true
        two.rename()
        let new = ["E", "F"].map { two.context.make("Thing", ["name": $0]) }
        for (thing, store) in zip(new, stores) { two.context.assign(thing, to: store) }
        let told = SaveLog(two.context, .NSManagedObjectContextDidSave)
        let error = #expect(throws: NSError.self) { try two.context.save() }
        #expect(error?.code == NSPersistentStoreIncompleteSaveError)
        #expect(two.context.insertedObjects == [new[0]])
        #expect(two.context.updatedObjects == [two.things[0]])
        #expect(!new[1].objectID.isTemporaryID && new[0].objectID.isTemporaryID)
        let saved = told.take()
        #expect(saved.map { $0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> } == [[new[1]]])
        #expect(saved.map { $0.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> } == [[two.things[1]]])
        try two.context.save()
        #expect(stores.map(\.names) == [["C", "E"], ["D", "F"]])
        #expect(!two.context.hasChanges)
    }

    @Test("A store that can't take anything back commits first, and where it fails no other has", arguments: 0..<6)
    func failsBeforeOthers(_: Int) throws {
        let type = NSPersistentStore.StoreType(rawValue: "Stubborn \(UUID())")
        NSPersistentStoreCoordinator.registerStoreClass(StubbornStore.self, type: type)
        defer { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: type.rawValue) }
        for other in [.inMemory, .sqlite, .xml, .binary] as [NSPersistentStore.StoreType] {
            let two = try TwoStores([other, type])
            let stubborn = try #require(two.stores[1] as? StubbornStore)
            stubborn.failsNext = true
            two.rename()
            let new = two.context.make("Thing", ["name": "E"])
            two.context.assign(new, to: two.stores[0])
            #expect(throws: NSError.self) { try two.context.save() }
            #expect(two.context.insertedObjects == [new] && two.context.updatedObjects == Set(two.things))
            #expect(try two.stored("name") as? [String] == ["A", "B"])
            try two.context.save()
            #expect(try two.stored("name") as? [String] == ["C", "D"])
            #expect(stubborn.names == ["D"])
        }
    }

    @Test(
        "A full disk fails a save before the other store has committed, and with room it is made once",
        .enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"),
        arguments: [.sqlite, .xml, .binary] as [NSPersistentStore.StoreType])
    func fullDisk(other type: NSPersistentStore.StoreType) throws {
        // Whichever of the stores comes first by its UUID.
        for _ in 0..<4 {
            let folder = try TemporaryFolder()
            let disk = try SmallDisk(at: folder.url, kilobytes: 512)
            defer { disk.remove() }
            let tree = try ContextTree(model: ThingModel.make())
            let coordinator = tree.stack.container.persistentStoreCoordinator
            try coordinator.remove(coordinator.persistentStores[0])
            let full = try coordinator.addPersistentStore(
                type: .sqlite, at: folder.url.appendingPathComponent("Full.sqlite"))
            let place = tree.stack.folder.appendingPathComponent("Other")
            let other = try coordinator.addPersistentStore(type: type, at: place)
            func insert(_ count: Int, into store: NSPersistentStore) {
                for number in 0..<count {
                    let name = String(repeating: "\(number)", count: 1_000)
                    tree.root.assign(tree.root.make("Thing", ["name": name]), to: store)
                }
            }
            insert(1, into: other)
            insert(1_000, into: full)
            #expect(throws: NSError.self) { try tree.root.save() }
            #expect(tree.root.insertedObjects.count == 1_001)
            #expect(try count(tree.sibling()) == 0)
            try disk.grow(toKilobytes: 8_192)
            try tree.root.save()
            #expect(try count(tree.sibling()) == 1_001)
            for store in [full, other] { try coordinator.remove(store) }
        }
    }

    private func count(_ context: NSManagedObjectContext) throws -> Int {
        try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    }
}

/// A store that keeps nothing but what it is told, and may find a conflict that only it knows of.
private final class StubbornStore: NSIncrementalStore {
    var refusesNext = false
    var failsNext = false
    private(set) var saves = 0
    private var rows: [String: [String: Any]] = [:]

    var names: [String] { rows.values.compactMap { $0["name"] as? String }.sorted() }

    override var type: String { "Stubborn" }
    override func loadMetadata() throws {
        metadata = [NSStoreUUIDKey: url?.lastPathComponent ?? "", NSStoreTypeKey: "Stubborn"]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        guard let save = request as? NSSaveChangesRequest else { return [] }
        let changed = (save.insertedObjects ?? []).union(save.updatedObjects ?? [])
        if refusesNext, let object = changed.first {
            refusesNext = false
            let conflict = NSMergeConflict(
                source: object, newVersion: 2, oldVersion: 1, cachedSnapshot: nil,
                persistedSnapshot: ["name": "elsewhere", "size": 7])
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError,
                userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
        }
        if failsNext {
            failsNext = false
            throw CocoaError(.fileWriteUnknown)
        }
        saves += 1
        for object in changed {
            rows[referenceObject(for: object.objectID) as? String ?? ""] = ["name": object.value(forKey: "name") ?? ""]
        }
        return []
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        let values = rows[referenceObject(for: objectID) as? String ?? ""] ?? [:]
        return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: 1)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any { relationship.isToMany ? [] as [NSManagedObjectID] : NSNull() }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString) }
    }
}
