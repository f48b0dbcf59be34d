import ManagedObjectModel

// Safe: constant once the model is compiled.
/// A property of an entity, compiled: where its value lies, and what is on the other side.
///
/// A property that is inherited has one layout for each entity, all with the same ``index`` and ``rowSlot``.
@_spi(Engine) public final class PropertyLayout: @unchecked Sendable {
    package let name: String
    /// The place in ``EntityLayout/properties``; the same in every subentity.
    public let index: Int
    /// The type of the value, or the kind of relationship.
    public let kind: PropertyKind
    /// The place in a row, or -1 where no row holds the value. A to-one takes two: handle and entity.
    public let rowSlot: Int
    package let isOptional: Bool
    package let isTransient: Bool
    /// The elements of a composite attribute, each with a row slot of its own.
    package let elements: [PropertyLayout]
    // Safe: the model's layout keeps the model, which keeps it.
    package unowned(unsafe) let property: NSPropertyDescription
    /// The entity whose layout lists this property; for an inherited property the subentity.
    package unowned(unsafe) let owner: EntityLayout

    // Safe: the model's layout keeps both; they are set while that is made, before others see it.
    /// The other end of a relationship; set when the whole model has been laid out.
    @inlinable
    @_spi(Engine) public var destination: EntityLayout? { otherEnd.entity }
    /// The relationship at the other end; nil for attributes and for relationships without inverse.
    @inlinable
    @_spi(Engine) public var inverse: PropertyLayout? { otherEnd.inverse }
    @exclusivity(unchecked) @usableFromInline var otherEnd = OtherEnd()
    package let deleteRule: NSDeleteRule
    package let isOrdered: Bool
    /// Whether any value of the property's type is valid: it has a row slot, or no limits, and no predicates.
    package let hasNoRules: Bool
    /// The default as the object graph holds it.
    package let defaultValue: FieldValue

    package init(
        _ property: NSPropertyDescription, index: Int, rowSlot: Int, elements: [PropertyLayout], owner: EntityLayout
    ) {
        self.property = property
        self.owner = owner
        self.elements = elements
        name = property.name
        self.index = index
        self.rowSlot = rowSlot
        kind = PropertyKind(property)
        isOptional = property.isOptional
        isTransient = property.isTransient
        let relationship = property as? NSRelationshipDescription
        deleteRule = relationship?.deleteRule ?? .noActionDeleteRule
        isOrdered = relationship.map { $0.isOrdered && $0.isToMany } ?? false
        defaultValue = Self.initialValue(of: property, kind: kind)
        hasNoRules = Self.hasNoRules(property, kind: kind, rowSlot: rowSlot)
    }

    package var attribute: NSAttributeDescription? { property as? NSAttributeDescription }
    package var relationship: NSRelationshipDescription? { property as? NSRelationshipDescription }

    /// Whether both are the same property, declared once and inherited. Properties of one name in two siblings have the same place as
    /// well, and are different ones.
    package func isSameProperty(as other: PropertyLayout) -> Bool { property === other.property }

    /// Whether a store keeps the value, in a row or in a relationship of its own.
    package var isPersistent: Bool { !isTransient && kind != .fetched && kind != .undefined }

    /// The element of a composite attribute that has become one of its next version.
    package func element(thatBecomes element: PropertyLayout, of next: PropertyLayout) -> PropertyLayout? {
        guard let old = property as? NSCompositeAttributeDescription,
            let new = next.property as? NSCompositeAttributeDescription
        else { return nil }
        let former = ModelPairing.elements(from: old, to: new).pairs.first { $0.new.name == element.name }?.old
        return elements.first { $0.name == former?.name }
    }

    private static func hasNoRules(_ property: NSPropertyDescription, kind: PropertyKind, rowSlot: Int) -> Bool {
        guard property.validationPredicates.isEmpty else { return false }
        switch kind {
        case .toOne: return property.isOptional
        case .toMany:
            guard let relationship = property as? NSRelationshipDescription else { return false }
            return property.isOptional && relationship.minCount == 0 && relationship.maxCount == 0
        case .composite: return false
        default: return rowSlot >= 0
        }
    }

    private static func initialValue(of property: NSPropertyDescription, kind: PropertyKind) -> FieldValue {
        guard let attribute = property as? NSAttributeDescription, let value = attribute.defaultValue else {
            return .null
        }
        return FieldValue(value, kind: kind) ?? .null
    }
}

extension PropertyLayout {
    @usableFromInline struct OtherEnd {
        // Safe: the model's layout keeps both.
        @usableFromInline unowned(unsafe) var entity: EntityLayout?
        @usableFromInline unowned(unsafe) var inverse: PropertyLayout?
    }
}
