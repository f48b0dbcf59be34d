import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

/// The description of an attribute that the store computes at each save.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// What the value is computed from: a to-one key path, `canonical:`, `uppercase:` or `lowercase:` of one,
    /// a to-many key path with `@count` or `@sum`, or `now()`.
    open var derivationExpression: NSExpression? { willSet { requireMutable() } }

    /// A predicate that compiled models can hold beside the expression. No fixture has one; it is carried along.
    package final var filteringPredicate: NSPredicate? { willSet { requireMutable() } }

    /// Makes a description without a name. Derived attributes are read-only, as compiled models show.
    public override init() {
        super.init()
        isReadOnly = true
    }

    /// Reads the description from an archive, such as a compiled model; nil where the archive is damaged.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    package override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSDerivedAttributeDescription else { return }
        derivationExpression = other.derivationExpression
        filteringPredicate = other.filteringPredicate
    }

    package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSDerivedAttributeDescription, super.hasSameContents(as: other) else {
            return false
        }
        return ValueEquality.areEqual(derivationExpression, other.derivationExpression)
            && ValueEquality.areEqual(filteringPredicate, other.filteringPredicate)
    }
}
