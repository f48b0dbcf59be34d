import CoreData

/// A shelf as generated code would declare it.
final class Shelf: NSManagedObject {
    private enum Keys {
        static let volumes = PropertyKey("volumes")
    }

    var volumes: Set<NSManagedObject> { anyValue(for: Keys.volumes) as? Set<NSManagedObject> ?? [] }
}

/// A volume on a shelf.
final class Volume: NSManagedObject {
    private enum Keys {
        static let pages = PropertyKey("pages")
    }

    var pages: Int64 { integerValue(for: Keys.pages) ?? 0 }
}
