import Foundation
import FoundationCompat

/// Writes properties into keyed archives; the counterpart of `PropertyArchiveReader`.
struct PropertyArchiveWriter {
    let writer: CompiledModelWriter

    private var builder: KeyedArchiveBuilder { writer.builder }

    /// The class name and fields of the property.
    func contents(of property: NSPropertyDescription) throws -> (String, [String: PropertyListNode]) {
        var fields = try commonFields(of: property)
        switch property {
        case let attribute as NSAttributeDescription:
            try add(attribute, to: &fields)
            if let derived = attribute as? NSDerivedAttributeDescription {
                fields["NSDerivationExpression"] =
                    try derived.derivationExpression.map { try PredicateArchiveWriter.add($0, to: builder) }
                    ?? KeyedArchiveBuilder.null
                fields["NSFilteringPredicate"] = try PredicateArchiveWriter.add(derived.filteringPredicate, to: builder)
                return ("NSDerivedAttributeDescription", fields)
            }
            if let composite = attribute as? NSCompositeAttributeDescription {
                fields["NSCompositeElements"] = builder.addArray(
                    composite.elements.map { writer.reference(to: $0) }, className: "NSMutableArray")
                return ("NSCompositeAttributeDescription", fields)
            }
            return ("NSAttributeDescription", fields)
        case let relationship as NSRelationshipDescription:
            add(relationship, to: &fields)
            return ("NSRelationshipDescription", fields)
        case let fetched as NSFetchedPropertyDescription:
            fields["NSFetchRequest"] = writer.reference(to: fetched.fetchRequest)
            fields["_NSFetchRequestEntityName"] = builder.add(fetched.fetchRequest?.entityName)
            return ("NSFetchedPropertyDescription", fields)
        case let expression as NSExpressionDescription:
            fields["NSExpression"] =
                try expression.expression.map { try PredicateArchiveWriter.add($0, to: builder) }
                ?? KeyedArchiveBuilder.null
            fields["NSExpressionType"] = .integer(Int(expression.expressionResultType.rawValue))
            return ("NSExpressionDescription", fields)
        default: throw ModelFileError(.unsupported, "\(type(of: property)) cannot be kept in a model file")
        }
    }

    private func commonFields(of property: NSPropertyDescription) throws -> [String: PropertyListNode] {
        var fields: [String: PropertyListNode] = [
            "NSPropertyName": builder.add(property.name),
            "NSEntity": writer.backReference(to: property.declaringEntity),
            "NSRenamingIdentifier": builder.add(property.renamingIdentifier),
            "_P": .integer(PropertyFlags(of: property).rawValue),
        ]
        if property.isOptional { fields["NSIsOptional"] = .boolean(true) }
        if property.isTransient { fields["NSIsTransient"] = .boolean(true) }
        if property.isReadOnly { fields["NSIsReadOnly"] = .boolean(true) }
        if property.isIndexed { fields["NSIsIndexed"] = .boolean(true) }
        if property.isIndexedBySpotlight { fields["NSIndexedBySpotlight"] = .boolean(true) }
        if let notes = property.userInfo, !notes.isEmpty {
            fields["NSUserInfo"] = try ValueArchiveWriter.add(notes, to: builder)
        }
        if let modifier = property.versionHashModifier { fields["NSVersionHashModifier"] = builder.add(modifier) }
        if !property.validationPredicates.isEmpty {
            fields["NSValidationPredicates"] = builder.addArray(
                try property.validationPredicates.map { try PredicateArchiveWriter.add($0, to: builder) })
        }
        if !property.validationWarnings.isEmpty {
            fields["NSValidationWarnings"] = builder.addArray(
                try property.validationWarnings.map { try ValueArchiveWriter.add($0, to: builder) })
        }
        return fields
    }

    private func add(_ attribute: NSAttributeDescription, to fields: inout [String: PropertyListNode]) throws {
        var flags: AttributeFlags = []
        if attribute.allowsExternalBinaryDataStorage { flags.insert(.allowsExternalBinaryDataStorage) }
        if attribute.preservesValueInHistoryOnDeletion { flags.insert(.preservesValueInHistoryOnDeletion) }
        fields["NSFlagsKey"] = .integer(flags.rawValue)
        fields["NSAttributeType"] = .integer(Int(attribute.attributeType.rawValue))
        fields["NSAttributeValueClassName"] = builder.add(attribute.attributeValueClassName)
        fields["NSDefaultValue"] = try defaultValue(of: attribute)
        fields["NSValueTransformerName"] = builder.add(attribute.valueTransformerName)
        if attribute.allowsCloudEncryption { fields["NSAllowsCloudEncryption"] = .boolean(true) }
    }

    /// The default value of a transformable attribute may be of any class of the program's own. In the model that a store
    /// carries it is of no use, as it matters to new objects alone.
    private func defaultValue(of attribute: NSAttributeDescription) throws -> PropertyListNode {
        do {
            return try ValueArchiveWriter.add(attribute.defaultValue, to: builder)
        } catch let error as ModelFileError where error.reason == .unsupported && writer.omitsForeignDefaults {
            return KeyedArchiveBuilder.null
        }
    }

    private func add(_ relationship: NSRelationshipDescription, to fields: inout [String: PropertyListNode]) {
        fields["NSDestinationEntity"] = writer.backReference(to: relationship.destinationEntity)
        fields["_NSDestinationEntityName"] = builder.add(relationship.destinationEntityName)
        // The inverse may not have a number yet, but its entity has; a lone property keeps the names only.
        let isWhole = relationship.inverseRelationship?.declaringEntity.map(writer.holds) ?? false
        fields["NSInverseRelationship"] =
            isWhole ? writer.reference(to: relationship.inverseRelationship) : KeyedArchiveBuilder.null
        fields["_NSInverseRelationshipName"] = builder.add(relationship.inverseRelationshipName)
        fields["NSDeleteRule"] = .integer(Int(relationship.deleteRule.rawValue))
        fields["NSMinCount"] = .integer(relationship.minCount)
        fields["NSMaxCount"] = .integer(relationship.maxCount)
        if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
    }
}
