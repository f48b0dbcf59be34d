@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSEntityDescription {
    /// The entity of that name in the context's model; nil when there is none.
    public class func entity(forEntityName entityName: String, in context: NSManagedObjectContext)
        -> NSEntityDescription?
    {
        context.model.entity(named: entityName)?.entity
    }

    /// Makes an object of the entity of that name, of the class that the model names, and inserts it.
    ///
    /// The program stops when the model has no such entity (Apple raises an exception).
    public class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let layout = context.model.entity(named: entityName) else {
            let hint = Spelling.nearest(to: entityName, among: context.model.entities.map(\.name))
            fatalError(
                "+entityForName: could not locate an entity named '\(entityName)' in this model."
                    + (hint.map { " Did you mean '\($0)'?" } ?? ""))
        }
        return layout.objectClass.made(
            by: ManagedObjectSeed(layout: layout, insertionContext: context, caller: .insertNewObject))
    }
}

extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}
