import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// A property or an expression that takes part in an index.
open class NSFetchIndexElementDescription: NSObject, NSCopying, NSSecureCoding {
    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool { true }

    private weak var weakProperty: NSPropertyDescription?
    // An expression lives nowhere else, so the element has to keep it.
    private var ownedExpression: NSExpressionDescription?
    private var storedPropertyName: String?

    /// The property, or an `NSExpressionDescription`.
    open var property: NSPropertyDescription? {
        ownedExpression ?? weakProperty
            ?? storedPropertyName.flatMap { indexDescription?.entity?.inheritedOrOwnProperty(named: $0) }
    }

    /// The expression, where the element is one. Unlike `property` it takes no look-up.
    package final var expressionDescription: NSExpressionDescription? { ownedExpression }

    /// The property's name.
    open var propertyName: String? { ownedExpression?.name ?? weakProperty?.name ?? storedPropertyName }

    /// How the element is stored. The elements of one index all have the same type.
    open var collationType: NSFetchIndexElementType { willSet { requireMutable() } }

    /// Whether the values go upwards. True by default.
    open var isAscending: Bool = true { willSet { requireMutable() } }

    /// The index that the element belongs to.
    open internal(set) weak var indexDescription: NSFetchIndexDescription?

    private var isImmutable = false

    /// Makes an element for a property of the index's entity, or for an `NSExpressionDescription`.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.collationType = collationType
        super.init()
        if let expression = property as? NSExpressionDescription {
            ownedExpression = expression
        } else {
            weakProperty = property
            storedPropertyName = property.name
        }
    }

    /// Makes an element for the property of that name of the index's entity, as model files have it.
    package init(propertyName: String, collationType: NSFetchIndexElementType) {
        self.collationType = collationType
        storedPropertyName = propertyName
        super.init()
    }

    /// Reads an element that `encode(with:)` wrote. Returns nil where the data is not one.
    public required init?(coder: NSCoder) {
        guard let source: NSFetchIndexElementDescription = DescriptionCoding.decode(from: coder) else { return nil }
        collationType = source.collationType
        super.init()
        isAscending = source.isAscending
        ownedExpression = source.ownedExpression
        storedPropertyName = source.storedPropertyName
    }

    /// Writes one archive in Apple's layout into the coder, which this package reads.
    open func encode(with coder: NSCoder) {
        DescriptionCoding.encode(self, with: coder)
    }

    /// Returns an element for the same property that belongs to no index.
    open func copy(with zone: NSZone? = nil) -> Any {
        copied()
    }

    final func copied() -> NSFetchIndexElementDescription {
        let copy: NSFetchIndexElementDescription
        if let ownedExpression {
            copy = NSFetchIndexElementDescription(property: ownedExpression.copied(), collationType: collationType)
        } else {
            // By name, so that the copy of an entity uses the copies of its properties.
            copy = NSFetchIndexElementDescription(propertyName: propertyName ?? "", collationType: collationType)
        }
        copy.isAscending = isAscending
        return copy
    }

    /// Whether both are about the same property, in the same way.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexElementDescription else { return false }
        if self === other { return true }
        guard collationType == other.collationType, isAscending == other.isAscending else { return false }
        // The names of expressions are numbers that compilers give them.
        if let ownedExpression, let otherExpression = other.ownedExpression {
            return ValueEquality.areEqual(ownedExpression.expression, otherExpression.expression)
        }
        return propertyName == other.propertyName && (ownedExpression == nil) == (other.ownedExpression == nil)
    }

    /// A hash that equal objects share.
    open override var hash: Int { collationType.hashValue }

    func makeImmutable() {
        isImmutable = true
        ownedExpression?.makeImmutable()
    }

    private func requireMutable() {
        if isImmutable { fatalError("Can't modify an immutable model.") }
    }
}
