@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Values of attributes of the type object ID, for which none of Apple's files has a place: they say which object a running
/// program means.
///
/// Stores that keep their objects in memory keep such values, and so may stores of other people. The stores that write files
/// refuse to save one, rather than lose it (our choice; a model that has such an attribute without values can be used).
enum ObjectIDAttributes {
    /// - Throws: an error that names the store, the object and the attribute with the value.
    static func refuseValues(in changes: StoreChanges) throws {
        var layout: EntityLayout?
        var attributes: [PropertyLayout] = []
        for object in changes.inserted + changes.updated {
            if object.layout !== layout {
                layout = object.layout
                attributes = object.layout.storedLeaves.filter { $0.kind == .objectID }
            }
            for attribute in attributes where object.primitiveValue(of: attribute) != nil {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "\(changes.store.place): \(attribute.owner.name).\(attribute.name) of \(object.objectID) is an object "
                        + "ID, and a store of the type \(changes.store.type) can't hold one. Save its URI instead.",
                    [NSAffectedObjectsErrorKey: [object], NSAffectedStoresErrorKey: [changes.store]])
            }
        }
    }
}
