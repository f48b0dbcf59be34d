@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObject {
    /// The results of a fetched property, which are kept until the object becomes a fault again.
    ///
    /// The variables `$FETCH_SOURCE` and `$FETCHED_PROPERTY` stand for the object and the property.
    final func fetchedObjects(_ property: PropertyLayout) -> Any? {
        if let known = state?.decoded[property.index] { return known }
        guard let description = property.property as? NSFetchedPropertyDescription,
            let template = description.fetchRequest, let context = ownContext
        else { return [NSManagedObject]() }
        let request = template.erasedCopy()
        request.predicate = request.predicate?.withSubstitutionVariables([
            "FETCH_SOURCE": self, "FETCHED_PROPERTY": description,
        ])
        do {
            let results = try context.fetchObjects(request)
            writableState.decoded[property.index] = results
            return results
        } catch {
            context.recordReadFailure(error, of: "the fetched property '\(property.name)' of '\(objectID)'")
            return [NSManagedObject]()
        }
    }
}
