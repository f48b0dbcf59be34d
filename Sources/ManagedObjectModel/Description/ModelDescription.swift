import Foundation
import FoundationCompat

import class FoundationCompat.NSPredicate

/// A model in words and numbers that `JSONSerialization` takes, for `coredata model show` and for comparing models.
///
/// A source model and its compiled form have the same description: everything that both can hold is in it, with
/// defaults spelled out, entities and properties by name.
public enum ModelDescription {
    /// The description as dictionaries, arrays, strings, numbers and Booleans.
    public static func object(of model: NSManagedObjectModel) -> [String: Any] {
        let hashes = model.entityVersionHashesByName
        var result: [String: Any] = [
            // An empty identifier says as little as none; which of them a compiler writes depends on its age.
            "versionIdentifiers": model.versionIdentifiers.map { "\($0.base)" }.filter { !$0.isEmpty }.sorted(),
            "checksum": VersionHasher.checksum(of: hashes),
            "entities": model.entitiesByName.mapValues { entity($0, versionHash: hashes[$0.name ?? ""] ?? Data()) },
        ]
        let configurations = model.namedConfigurations.map { name in
            (name, (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted())
        }
        if !configurations.isEmpty { result["configurations"] = Dictionary(uniqueKeysWithValues: configurations) }
        let templates = model.fetchRequestTemplatesByName
        if !templates.isEmpty { result["fetchRequestTemplates"] = templates.mapValues(request) }
        return result
    }

    /// The description as JSON text with sorted keys.
    public static func json(of model: NSManagedObjectModel) throws -> Data {
        try JSONSerialization.data(
            withJSONObject: object(of: model), options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    private static func entity(_ entity: NSEntityDescription, versionHash: Data) -> [String: Any] {
        var result: [String: Any] = [
            "className": entity.managedObjectClassName ?? "",
            "isAbstract": entity.isAbstract,
            "renamingIdentifier": entity.renamingIdentifier ?? "",
            "versionHash": versionHash.base64EncodedString(),
            "properties": Dictionary(
                entity.ownProperties.map { ($0.name, property($0)) }, uniquingKeysWith: { first, _ in first }),
        ]
        result["superentity"] = entity.superentity?.name
        result["versionHashModifier"] = entity.versionHashModifier
        result["userInfo"] = jsonObject(entity.userInfo)
        if !entity.uniquenessConstraints.isEmpty {
            result["uniquenessConstraints"] = entity.uniquenessConstraintNames
        }
        if !entity.indexes.isEmpty { result["indexes"] = entity.indexes.sorted { $0.name < $1.name }.map(index) }
        return result
    }

    private static func property(_ property: NSPropertyDescription) -> [String: Any] {
        var result: [String: Any] = [
            "isOptional": property.isOptional, "isTransient": property.isTransient,
            "renamingIdentifier": property.renamingIdentifier ?? "",
        ]
        if property.isIndexed { result["isIndexed"] = true }
        if property.isIndexedBySpotlight { result["isIndexedBySpotlight"] = true }
        if property.isStoredInExternalRecord { result["isStoredInExternalRecord"] = true }
        result["versionHashModifier"] = property.versionHashModifier
        result["userInfo"] = jsonObject(property.userInfo)
        if !property.validationPredicates.isEmpty {
            result["validationPredicates"] = property.validationPredicates.map(\.parsableFormat)
            result["validationWarnings"] = property.validationWarnings.map { "\($0)" }
        }
        switch property {
        case let attribute as NSAttributeDescription: describe(attribute, in: &result)
        case let relationship as NSRelationshipDescription:
            result["kind"] = "relationship"
            result["destination"] = relationship.destinationEntityName
            result["inverse"] = relationship.inverseRelationshipName
            result["isToMany"] = relationship.isToMany
            result["isOrdered"] = relationship.isOrdered
            result["minCount"] = relationship.minCount
            result["maxCount"] = relationship.maxCount
            result["deleteRule"] = name(of: relationship.deleteRule)
        case let fetched as NSFetchedPropertyDescription:
            result["kind"] = "fetchedProperty"
            result["fetchRequest"] = fetched.fetchRequest.map(request)
        default: result["kind"] = "expression"
        }
        return result
    }

    private static func describe(_ attribute: NSAttributeDescription, in result: inout [String: Any]) {
        result["kind"] = "attribute"
        result["type"] = attribute.attributeType.xmlName
        result["valueClassName"] = attribute.attributeValueClassName
        result["defaultValue"] = attribute.defaultValue.map(jsonValue)
        result["valueTransformerName"] = attribute.valueTransformerName
        if attribute.allowsExternalBinaryDataStorage { result["allowsExternalBinaryDataStorage"] = true }
        if attribute.preservesValueInHistoryOnDeletion { result["preservesValueInHistoryOnDeletion"] = true }
        if attribute.allowsCloudEncryption { result["allowsCloudEncryption"] = true }
        if let derived = attribute as? NSDerivedAttributeDescription {
            result["derivationExpression"] = derived.derivationExpression.map(DerivationExpression.text(of:))
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            result["elements"] = Dictionary(
                composite.elements.map { ($0.name, property($0)) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func index(_ index: NSFetchIndexDescription) -> [String: Any] {
        var result: [String: Any] = ["name": index.name]
        result["partialIndexPredicate"] = index.partialIndexPredicate?.parsableFormat
        result["elements"] = index.elements.map { element -> [String: Any] in
            var part: [String: Any] = [
                "property": element.propertyName ?? "", "isAscending": element.isAscending,
                "type": element.collationType == .binary ? "binary" : "rTree",
            ]
            if let description = element.expressionDescription {
                part["expression"] = description.expression.map(DerivationExpression.text(of:))
            }
            return part
        }
        return result
    }

    private static func request(_ request: AnyFetchRequest) -> [String: Any] {
        var result: [String: Any] = [
            "fetchLimit": request.fetchLimit, "fetchOffset": request.fetchOffset,
            "fetchBatchSize": request.fetchBatchSize, "resultType": request.resultType.rawValue,
            "includesSubentities": request.includesSubentities,
            "includesPropertyValues": request.includesPropertyValues,
            "includesPendingChanges": request.includesPendingChanges,
            "returnsObjectsAsFaults": request.returnsObjectsAsFaults,
            "returnsDistinctResults": request.returnsDistinctResults,
        ]
        result["entity"] = request.entityName
        result["predicate"] = request.predicate?.parsableFormat
        result["sortDescriptors"] = request.sortDescriptors?.map { ["key": $0.key ?? "", "ascending": $0.ascending] }
        return result
    }

    /// What the delete rule is called in Xcode.
    package static func name(of rule: NSDeleteRule) -> String {
        switch rule {
        case .noActionDeleteRule: "No Action"
        case .nullifyDeleteRule: "Nullify"
        case .cascadeDeleteRule: "Cascade"
        case .denyDeleteRule: "Deny"
        }
    }

    private static func jsonObject(_ userInfo: [AnyHashable: Any]?) -> [String: Any]? {
        guard let userInfo, !userInfo.isEmpty else { return nil }
        return Dictionary(
            userInfo.map { ("\($0.key.base)", jsonValue($0.value)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Numbers and Booleans as they are, decimals as text so that no digit is lost, dates in ISO 8601.
    private static func jsonValue(_ value: Any) -> Any {
        switch value {
        case let text as String: text
        case let decimal as NSDecimalNumber: "\(decimal.decimalValue)"
        case let number as NSNumber: number.doubleValue.isFinite ? number : "\(number)"
        case let date as Date: PrintedValue.isDescribable(date) ? date.formatted(.iso8601) : PrintedValue.text(of: date)
        case let data as Data: data.base64EncodedString()
        case let array as [Any]: array.map(jsonValue)
        case let dictionary as [AnyHashable: Any]:
            Dictionary(
                dictionary.map { ("\($0.key.base)", jsonValue($0.value)) }, uniquingKeysWith: { first, _ in first })
        default: "\(value)"
        }
    }
}
