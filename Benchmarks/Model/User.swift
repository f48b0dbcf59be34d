import CoreData
import Foundation

/// A user as a program declares it.
final class User: NSManagedObject {
    @NSManaged var identifier: UUID?
    @NSManaged var name: String?
}
