import CoreData

/// A shelf as a program declares it.
final class Shelf: NSManagedObject {
    @NSManaged var volumes: Set<Volume>
}

/// A volume on a shelf.
final class Volume: NSManagedObject {
    @NSManaged var pages: Int64
}
