@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// What a store class has done that no store may do: errors, as its file may be the cause.
enum AtomicStoreDefect {
    static func foreignNode(_ id: NSManagedObjectID, in store: NSAtomicStore) -> NSError {
        make(
            "added a node for \(id), which is no object that it can hold: another store's, or of an abstract entity.",
            store)
    }

    static func repeatedNode(_ id: NSManagedObjectID, in store: NSAtomicStore) -> NSError {
        make("added two nodes for the object \(id).", store)
    }

    static func wrongNode(_ id: NSManagedObjectID, for object: NSManagedObject, in store: NSAtomicStore) -> NSError {
        make("made a node for \(id) when it was asked for one of \(object.objectID).", store)
    }

    static func unusableReference(_ reference: Any, for object: NSManagedObject, in store: NSAtomicStore) -> NSError {
        make(
            "gave a \(type(of: reference)) as the reference object of a new \(object.layout.name). It must be hashable, such "
                + "as a string, a number or a UUID.", store)
    }

    static func repeatedReference(_ reference: Any, for object: NSManagedObject, in store: NSAtomicStore) -> NSError {
        make(
            "gave the reference object '\(reference)' to a new \(object.layout.name), and another object has it already.",
            store)
    }

    static func wrongDestination(_ value: Any, of property: PropertyLayout, _ id: NSManagedObjectID) -> NSError {
        let wanted = property.destination.map { "a node of \($0.name)" } ?? "a node"
        let given =
            (value as? NSAtomicStoreCacheNode).map { "a node of \($0.objectID.entityName)" } ?? "a \(type(of: value))"
        return CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store gave \(given) for the relationship \(property.owner.name).\(property.name) of \(id), not \(wanted).",
            [NSAffectedObjectsErrorKey: [id]])
    }

    private static func make(_ text: String, _ store: NSAtomicStore) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "\(store.place): the store class \(type(of: store)) \(text)",
            [NSAffectedStoresErrorKey: [store]])
    }
}
