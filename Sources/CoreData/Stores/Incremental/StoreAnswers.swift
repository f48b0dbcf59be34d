@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Checks what a subclass of ``NSIncrementalStore`` answers, which may be anything, and turns it into what the coordinator
/// works with. Every error names the store and what was wrong.
struct StoreAnswers {
    private let store: NSIncrementalStore
    private let layout: ModelLayout

    init(_ store: NSIncrementalStore) throws {
        guard let layout = store.persistentStoreCoordinator?.layout else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "\(store.place): the store has no coordinator.")
        }
        self.store = store
        self.layout = layout
    }

    /// An error about what the store did: "KeyValueStore (/path) gave …".
    func error(_ text: String, _ code: Int = NSPersistentStoreOperationError) -> NSError {
        CoreDataError.make(
            code, "\(Swift.type(of: store)) (\(store.place)) \(text).", [NSAffectedStoresErrorKey: [store]])
    }

    // MARK: Metadata

    /// - Throws: an error where the metadata of an existing store can't tell which store it is.
    func check(metadata: [String: Any]) throws {
        guard metadata[NSStoreUUIDKey] != nil else {
            throw error(
                "has metadata without \(NSStoreUUIDKey); leave it unset for a new store", NSPersistentStoreOpenError)
        }
        guard let type = metadata[NSStoreTypeKey] as? String else {
            throw error("has metadata without \(NSStoreTypeKey)", NSPersistentStoreOpenError)
        }
        guard type == store.type else {
            throw error("has metadata of a store of type '\(type)'", NSPersistentStoreTypeMismatchError)
        }
    }

    // MARK: Identities

    func id(_ key: ObjectKey) -> NSManagedObjectID {
        NSManagedObjectID(layout: layout.entities[Int(key.entityIndex)], handle: key.handle, store: store)
    }

    /// - Parameter place: what the store gave the value for, such as "Book.author".
    func key(_ value: Any, as expected: EntityLayout?, for place: @autoclosure () -> String) throws -> ObjectKey {
        guard let id = value as? NSManagedObjectID else {
            throw error("gave a \(Swift.type(of: value)) for \(place()), not an object ID")
        }
        guard !id.isTemporaryID else { throw error("gave a temporary object ID for \(place())") }
        guard id.belongs(to: store), id.layout.model === layout else {
            throw error("gave the object ID \(id) for \(place()), which is another store's")
        }
        if let expected, !id.layout.isKind(of: expected) {
            throw error(
                "gave an object ID of the entity \(id.layout.name) for \(place()), which takes \(expected.name)")
        }
        return id.key
    }

    /// The IDs that the store gives out for new objects.
    func keys(_ ids: [NSManagedObjectID], for objects: [NSManagedObject]) throws -> [ObjectKey] {
        guard ids.count == objects.count else {
            throw error("gave \(ids.count) permanent IDs for \(objects.count) objects")
        }
        var seen: Set<NSManagedObjectID> = []
        return try zip(ids, objects).map { id, object in
            let key = try self.key(id, as: object.layout, for: "a new \(object.layout.name)")
            guard id.layout === object.layout else {
                throw error("gave an object ID of the entity \(id.layout.name) for a new \(object.layout.name)")
            }
            guard seen.insert(id).inserted else { throw error("gave the object ID \(id) for two new objects") }
            return key
        }
    }

    // MARK: Results of fetches

    func results<Result>(_ answer: Any, of fetch: StoreFetch) throws -> [Result] {
        if let results = answer as? [Result] { return results }
        if let result = answer as? Result, Result.self == NSNumber.self { return [result] }
        throw error(
            "answered a fetch for \(fetch.entity.name) with a \(Swift.type(of: answer)), not with an array of \(Result.self)"
        )
    }

    func check(_ object: NSManagedObject, of fetch: StoreFetch, in context: NSManagedObjectContext) throws {
        guard object.ownContext === context else {
            throw error(
                "answered a fetch for \(fetch.entity.name) with an object of another context: \(object.objectID)")
        }
        _ = try key(object.objectID, of: fetch)
    }

    func key(_ id: NSManagedObjectID, of fetch: StoreFetch) throws -> ObjectKey {
        let key = try self.key(id, as: fetch.entity, for: "a fetch of \(fetch.entity.name)")
        guard fetch.covers(id.layout) else {
            throw error("answered a fetch for \(fetch.entity.name) without its subentities with a \(id.layout.name)")
        }
        return key
    }

    // MARK: Values

    func check(_ node: NSIncrementalStoreNode, isOf key: ObjectKey) throws {
        let wanted = layout.entities[Int(key.entityIndex)]
        guard node.objectID.handle == key.handle, node.objectID.layout.rootIndex == wanted.rootIndex else {
            throw error("gave the values of \(node.objectID) for \(id(key))")
        }
    }

    /// Appends a node's values to a page.
    func append(_ node: NSIncrementalStoreNode, to page: RowPage) throws -> RowRef {
        let entity = node.objectID.layout
        _ = try key(node.objectID, as: nil, for: "a node")
        guard node.version <= RowPage.highestVersion else {
            throw error(
                "gave the version \(node.version) for \(node.objectID); the highest is \(RowPage.highestVersion)")
        }
        let row: RowRef
        do {
            row = try StoreRowBuilder.append(
                node.objectID.key, version: Int64(node.version), layout: entity, to: page,
                value: { node.value(for: $0.property) },
                destination: { try key($0, as: $1.destination, for: "\(entity.name).\($1.name)") })
        } catch let failure as NSError where failure.userInfo[NSAffectedStoresErrorKey] == nil {
            throw error("gave values for \(node.objectID) that can't be: \(failure.localizedDescription)")
        }
        for property in entity.relationships where property.kind == .toMany && !property.isTransient {
            guard let given = node.value(for: property.property) else { continue }
            page.setDestinations(try keys(in: given, of: property), of: property, row: row.row)
        }
        return row
    }

    /// The destinations in the value of a relationship.
    func keys(in value: Any, of property: PropertyLayout) throws -> [ObjectKey] {
        let members: [Any]
        switch value {
        case is NSNull: members = []
        case let id as NSManagedObjectID: members = [id]
        case let set as NSOrderedSet: members = set.array
        case let set as NSSet: members = set.allObjects
        case let set as Set<NSManagedObjectID>: members = Array(set)
        case let array as [Any]: members = array
        default: throw error("gave a \(Swift.type(of: value)) for \(name(property)), not object IDs")
        }
        if property.kind == .toOne, members.count > 1 {
            throw error("gave \(members.count) destinations for \(name(property)), which is to-one")
        }
        return try members.map { try key($0, as: property.destination, for: name(property)) }
    }

    private func name(_ property: PropertyLayout) -> String { "\(property.owner.name).\(property.name)" }

    // MARK: Conflicts

    /// The conflicts that a store's error tells of, with the rows as the store has them now; nil for any other error.
    func conflicts(_ failure: any Error, in changes: StoreChanges) throws -> StoreConflicts? {
        let failure = failure as NSError
        guard failure.domain == NSCocoaErrorDomain,
            [NSManagedObjectMergeError, NSPersistentStoreSaveConflictsError].contains(failure.code),
            let list = failure.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict], !list.isEmpty
        else { return nil }
        let saved = Set((changes.updated + changes.deleted + changes.locked).map(ObjectIdentifier.init))
        return StoreConflicts(
            conflicts: try list.map { conflict in
                guard saved.contains(ObjectIdentifier(conflict.sourceObject)) else {
                    throw error("reported a conflict of \(conflict.sourceObject.objectID), which isn't being saved")
                }
                return StoreConflict(
                    object: conflict.sourceObject, persisted: try row(of: conflict, in: changes.context))
            })
    }

    private func row(of conflict: NSMergeConflict, in context: NSManagedObjectContext) throws -> RowRef? {
        let id = conflict.sourceObject.objectID
        guard let values = conflict.persistedSnapshot else {
            return conflict.newVersionNumber == 0
                ? nil : try store.reading(for: context).loadRow(id.key, in: context.view(of: store))
        }
        let version = UInt64(max(conflict.newVersionNumber, 0))
        return try NodeRows([NSIncrementalStoreNode(objectID: id, withValues: values, version: version)], self).rows[0]
    }
}
