import CoreData
import Foundation

/// A user as generated code would declare it.
final class User: NSManagedObject {
    private enum Keys {
        static let identifier = PropertyKey("identifier")
        static let name = PropertyKey("name")
    }

    var identifier: UUID? {
        get { anyValue(for: Keys.identifier) as? UUID }
        set { setAnyValue(newValue, for: Keys.identifier) }
    }

    var name: String? {
        get { stringValue(for: Keys.name) }
        set { setStringValue(newValue, for: Keys.name) }
    }
}
