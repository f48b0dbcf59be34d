@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension ObjectValidation {
    /// Refuses to delete an object that a rule Deny keeps, as long as it has objects that stay.
    static func validateDeletion(of object: NSManagedObject) throws {
        var failures: [NSError] = []
        for property in object.layout.relationships where property.deleteRule == .denyDeleteRule {
            let destinations = object.destinations(of: property).filter { !$0.isToBeDeleted }
            if !destinations.isEmpty {
                failures.append(
                    ValidationError.make(
                        .relationshipDeniedDelete, object: object, property: property, value: Set(destinations),
                        reason: "can't be deleted while '\(property.name)' has \(destinations.count) "
                            + "object\(destinations.count == 1 ? "" : "s") (delete rule Deny)"))
            }
        }
        try throwCombined(failures)
    }
}
