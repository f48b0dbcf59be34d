@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// Additions to Apple's API. A property can't throw, so a fault that can't be fulfilled stops the program, as on Apple's
// platforms. Code that reads files it doesn't trust, such as the command-line tool, asks here first.
extension NSManagedObject {
    /// Reads the object's values now, if it is a fault.
    ///
    /// - Throws: 133000 when the store has no such row, or the error that the store met.
    public final func fulfillFault() throws {
        guard isFault else { return }
        guard let context = ownContext, try realize(in: context) else {
            throw CoreDataError.missingObject(objectID)
        }
    }

    /// Reads the destinations of a to-many relationship now, if they are still to be read, and the object's values.
    ///
    /// - Throws: the error that the store met.
    public final func fulfillFault(forRelationshipNamed key: String) throws {
        try fulfillFault()
        guard let property = layout.property(named: key), property.kind == .toMany else { return }
        let value = toMany(property)
        guard !value.isLoaded, let context = ownContext else { return }
        value.load(try context.destinations(of: property, from: self))
    }
}
