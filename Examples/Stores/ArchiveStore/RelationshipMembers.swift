import CoreData
import Foundation

/// The members of whatever stands for the destinations of a relationship.
enum RelationshipMembers {
    static func of(_ value: Any) -> [Any] {
        switch value {
        case let set as NSOrderedSet: set.array
        case let set as NSSet: set.allObjects
        case let set as Set<NSManagedObject>: Array(set)
        default: [value]
        }
    }
}
