import Foundation
import FoundationCompat

/// Writes entities as XML; the counterpart of `XMLEntityReader`.
enum XMLEntityWriter {
    static func element(for entity: NSEntityDescription, context: XMLWritingContext) -> XMLTree {
        let element = XMLTree("entity")
        element.set("name", entity.name)
        if entity.managedObjectClassName != "NSManagedObject" {
            element.set("representedClassName", entity.managedObjectClassName)
        }
        element.set("parentEntity", entity.superentity?.name)
        element.set("isAbstract", entity.isAbstract)
        element.set("elementID", entity.explicitRenamingIdentifier)
        element.set("versionHashModifier", entity.versionHashModifier)
        element.set("syncable", "YES")
        context.indexedAttributes = LegacyIndexes.namesOfIndexedAttributes(of: entity)
        for property in entity.ownProperties.sortedByName() {
            context.within("property \(property.name)") {
                if let child = propertyElement(for: property, context: context) { element.children.append(child) }
            }
        }
        let indexes = entity.indexes.filter { !context.indexedAttributes.contains($0.name) }
        element.children += indexes.map(index)
        element.children += lists(
            entity.uniquenessConstraintNames, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        element.children += XMLModelWriter.userInfo(entity.userInfo, context: context)
        return element
    }

    private static func propertyElement(for property: NSPropertyDescription, context: XMLWritingContext) -> XMLTree? {
        switch property {
        case let attribute as NSAttributeDescription:
            return XMLAttributeWriter.element(for: attribute, context: context)
        case let relationship as NSRelationshipDescription:
            return relationshipElement(for: relationship, context: context)
        case let fetched as NSFetchedPropertyDescription:
            let element = XMLTree("fetchedProperty", attributes: [("name", fetched.name)])
            setCommonAttributes(of: fetched, on: element, context: context)
            if let request = fetched.fetchRequest {
                let name = "fetchedPropertyFetchRequest"
                element.children.insert(XMLModelWriter.fetchRequest(request, named: name, context: context), at: 0)
            }
            return element
        default:
            context.omit("a property of \(type(of: property))")
            return nil
        }
    }

    /// What all properties have in common. Call it after the attributes that are the property's own.
    static func setCommonAttributes(
        of property: NSPropertyDescription, on element: XMLTree, context: XMLWritingContext
    ) {
        element.set("optional", property.isOptional)
        if !(property is NSFetchedPropertyDescription) { element.set("transient", property.isTransient) }
        element.set("spotlightIndexingEnabled", property.isIndexedBySpotlight)
        element.set("storedInTruthFile", property.isStoredInExternalRecord)
        element.set("elementID", property.explicitRenamingIdentifier)
        element.set("versionHashModifier", property.versionHashModifier)
        element.children += XMLModelWriter.userInfo(property.userInfo, context: context)
    }

    private static func relationshipElement(
        for relationship: NSRelationshipDescription, context: XMLWritingContext
    ) -> XMLTree {
        let element = XMLTree("relationship")
        element.set("name", relationship.name)
        element.set("toMany", relationship.isToMany)
        if relationship.minCount != 0 { element.set("minCount", String(relationship.minCount)) }
        if relationship.maxCount != 0 { element.set("maxCount", String(relationship.maxCount)) }
        switch relationship.deleteRule {
        case .nullifyDeleteRule: element.set("deletionRule", "Nullify")
        case .cascadeDeleteRule: element.set("deletionRule", "Cascade")
        case .denyDeleteRule: element.set("deletionRule", "Deny")
        case .noActionDeleteRule: element.set("deletionRule", "No Action")
        }
        element.set("ordered", relationship.isOrdered)
        element.set("destinationEntity", relationship.destinationEntityName)
        element.set("inverseName", relationship.inverseRelationshipName)
        if relationship.inverseRelationshipName != nil {
            element.set("inverseEntity", relationship.destinationEntityName)
        }
        setCommonAttributes(of: relationship, on: element, context: context)
        return element
    }

    private static func index(_ index: NSFetchIndexDescription) -> XMLTree {
        let element = XMLTree("fetchIndex", attributes: [("name", index.name)])
        element.set("partialIndexPredicate", index.partialIndexPredicate?.parsableFormat)
        element.children = index.elements.map { part in
            let child = XMLTree("fetchIndexElement")
            if let description = part.expressionDescription {
                child.set("expression", description.expression.map(DerivationExpression.text(of:)))
                child.set("expressionType", description.expressionResultType.xmlName)
            } else {
                child.set("property", part.propertyName)
            }
            child.set("type", part.collationType == .binary ? "Binary" : "RTree")
            child.set("order", part.isAscending ? "ascending" : "descending")
            return child
        }
        return element
    }

    private static func lists(_ lists: [[String]], _ outer: String, _ middle: String, _ inner: String) -> [XMLTree] {
        guard !lists.isEmpty else { return [] }
        let element = XMLTree(outer)
        for list in lists {
            let child = XMLTree(middle)
            child.children = list.map { XMLTree(inner, attributes: [("value", $0)]) }
            element.children.append(child)
        }
        return [element]
    }
}
