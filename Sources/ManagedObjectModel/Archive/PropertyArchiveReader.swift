import Foundation
import FoundationCompat

/// Decodes properties from keyed archives.
struct PropertyArchiveReader {
    private static let maximumCompositeDepth = 16

    func property(_ object: ArchivedObject, depth: Int = 0) throws -> NSPropertyDescription {
        let name = try object.requiredString("NSPropertyName")
        do {
            let property = try make(object, depth: depth)
            let flags = PropertyFlags(rawValue: try object.integer("_P"))
            property.name = name
            property.isOptional = try object.boolean("NSIsOptional")
            property.isTransient = try object.boolean("NSIsTransient")
            property.isReadOnly = try object.boolean("NSIsReadOnly")
            property.isIndexed = try object.boolean("NSIsIndexed")
            property.isIndexedBySpotlight = try object.boolean("NSIndexedBySpotlight")
            property.isStoredInExternalRecord = flags.contains(.isStoredInExternalRecord)
            property.userInfo = try object.value("NSUserInfo") as? [AnyHashable: Any] ?? [:]
            property.versionHashModifier = try object.string("NSVersionHashModifier")
            property.explicitRenamingIdentifier = try object.string("NSRenamingIdentifier").flatMap {
                $0 == name ? nil : $0
            }
            let predicates = try object.objects("NSValidationPredicates").map {
                try PredicateArchiveReader.predicate($0)
            }
            let warnings = try (object.members("NSValidationWarnings") ?? []).compactMap {
                try ValueArchiveReader.value($0, in: object.archive)
            }
            property.setValidation(predicates, warnings: warnings)
            return property
        } catch let error as ModelFileError {
            throw error.located(at: "property \(name)")
        }
    }

    /// Makes a property of the right class with what only that class has.
    private func make(_ object: ArchivedObject, depth: Int) throws -> NSPropertyDescription {
        switch object.className {
        case "NSAttributeDescription":
            let attribute = NSAttributeDescription()
            try read(object, into: attribute)
            return attribute
        case "NSDerivedAttributeDescription":
            let derived = NSDerivedAttributeDescription()
            try read(object, into: derived)
            derived.derivationExpression = try object.object("NSDerivationExpression").map {
                try PredicateArchiveReader.expression($0)
            }
            derived.filteringPredicate = try object.object("NSFilteringPredicate").map {
                try PredicateArchiveReader.predicate($0)
            }
            return derived
        case "NSCompositeAttributeDescription":
            guard depth < Self.maximumCompositeDepth else {
                throw ModelFileError(.tooLarge, "composite attributes are nested too deep")
            }
            let composite = NSCompositeAttributeDescription()
            try read(object, into: composite)
            composite.elements = try object.objects("NSCompositeElements").map { element in
                guard let attribute = try property(element, depth: depth + 1) as? NSAttributeDescription else {
                    throw object.mismatch("NSCompositeElements", "attributes")
                }
                return attribute
            }
            return composite
        case "NSRelationshipDescription": return try relationship(object)
        case "NSFetchedPropertyDescription":
            let fetched = NSFetchedPropertyDescription()
            let request = try object.object("NSFetchRequest").map(ArchivedFetchRequests.request)
            if let request, request.entityName == nil {
                request.state.entityName = try object.string("_NSFetchRequestEntityName")
            }
            fetched.fetchRequest = request
            return fetched
        case "NSExpressionDescription":
            let description = NSExpressionDescription()
            description.expression = try object.object("NSExpression").map { try PredicateArchiveReader.expression($0) }
            description.expressionResultType = try type(object, "NSExpressionType")
            return description
        default: throw ModelFileError(.unsupported, "a property has the unknown class \(object.className)")
        }
    }

    private func read(_ object: ArchivedObject, into attribute: NSAttributeDescription) throws {
        attribute.attributeType = try type(object, "NSAttributeType")
        let className = try object.string("NSAttributeValueClassName")
        if className != attribute.attributeType.valueClassName { attribute.explicitValueClassName = className }
        attribute.defaultValue = try object.value("NSDefaultValue")
        attribute.valueTransformerName = try object.string("NSValueTransformerName")
        let flags = AttributeFlags(rawValue: try object.integer("NSFlagsKey"))
        attribute.allowsExternalBinaryDataStorage = flags.contains(.allowsExternalBinaryDataStorage)
        attribute.preservesValueInHistoryOnDeletion = flags.contains(.preservesValueInHistoryOnDeletion)
        attribute.allowsCloudEncryption = try object.boolean("NSAllowsCloudEncryption")
    }

    private func type(_ object: ArchivedObject, _ key: String) throws -> NSAttributeType {
        let number = try object.integer(key)
        guard number >= 0, let type = NSAttributeType(rawValue: UInt(number)) else {
            throw object.mismatch(key, "a known attribute type, not \(number),")
        }
        return type
    }

    private func relationship(_ object: ArchivedObject) throws -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.destinationEntityName =
            try object.string("_NSDestinationEntityName")
            ?? object.object("NSDestinationEntity")?.string("NSEntityName")
        relationship.inverseRelationshipName =
            try object.string("_NSInverseRelationshipName")
            ?? object.object("NSInverseRelationship")?.string("NSPropertyName")
        relationship.minCount = try object.integer("NSMinCount")
        relationship.maxCount = try object.integer("NSMaxCount")
        let rule = try object.integer("NSDeleteRule")
        guard rule >= 0, let rule = NSDeleteRule(rawValue: UInt(rule)) else {
            throw object.mismatch("NSDeleteRule", "a known delete rule")
        }
        relationship.deleteRule = rule
        relationship.isOrdered = try object.boolean("NSIsOrdered")
        return relationship
    }
}
