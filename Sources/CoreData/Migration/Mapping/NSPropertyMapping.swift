import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// How one property of a destination object gets its value (Apple: NSPropertyMapping).
open class NSPropertyMapping: NSObject {
    /// The property of the destination entity.
    open var name: String?

    /// What gives the value; nil where nothing is to be set.
    ///
    /// It sees the variables `$manager`, `$source`, `$destination`, `$entityMapping`, `$propertyMapping` and
    /// `$entityPolicy` (Apple: Core Data Model Versioning and Data Migration).
    open var valueExpression: NSExpression?

    /// Free notes of the mapping's author.
    open var userInfo: [AnyHashable: Any]?

    /// Makes a mapping that says nothing yet.
    public override init() { super.init() }

    /// Two mappings are equal that give the same property the same value.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyMapping else { return false }
        return self === other
            || name == other.name && valueExpression == other.valueExpression
                && ValueEquality.areEqual(userInfo ?? [:], other.userInfo ?? [:])
    }

    /// A hash that equal objects share.
    open override var hash: Int { name.hashValue }
}
