import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObject: EntityTestable {
    /// The condition that an object is of this class' entity or one below it.
    package static func condition(that subject: NSExpression) -> NSPredicate? {
        if self == NSManagedObject.self { return NSPredicate(value: true) }
        var names: [String] = []
        func add(_ entity: NSEntityDescription) {
            if let name = entity.name { names.append(name) }
            entity.subentities.forEach(add)
        }
        add(entity())
        guard !names.isEmpty else { return nil }
        return NSPredicate(
            format: "%@ IN %@",
            argumentArray: [NSExpression(format: "%@.entity.name", argumentArray: [subject]), names])
    }
}
