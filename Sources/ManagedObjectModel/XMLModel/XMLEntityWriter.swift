import Foundation
import FoundationCompat

/// Writes entities as XML; the counterpart of `XMLEntityReader`.
enum XMLEntityWriter {
    static func element(
        for entity: NSEntityDescription, composites: inout XMLCompositeWriter
    ) throws -> XMLTree {
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
        for property in entity.ownProperties.sortedByName() {
            do {
                element.children.append(try self.element(for: property, composites: &composites))
            } catch let error as ModelFileError {
                throw error.located(at: "entity \(entity.name ?? ""), property \(property.name)")
            }
        }
        element.children += try entity.indexes.filter { !isLegacy($0, of: entity) }.map(index)
        element.children += lists(
            entity.uniquenessConstraintNames, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        element.children += try XMLModelWriter.userInfo(entity.userInfo)
        return element
    }

    private static func element(
        for property: NSPropertyDescription, composites: inout XMLCompositeWriter
    ) throws -> XMLTree {
        switch property {
        case let attribute as NSAttributeDescription:
            return try XMLAttributeWriter.element(for: attribute, composites: &composites)
        case let relationship as NSRelationshipDescription: return try element(for: relationship)
        case let fetched as NSFetchedPropertyDescription:
            let element = XMLTree("fetchedProperty", attributes: [("name", fetched.name)])
            try setCommonAttributes(of: fetched, on: element)
            if let request = fetched.fetchRequest {
                let child = try XMLModelWriter.fetchRequest(request, named: "fetchedPropertyFetchRequest")
                element.children.insert(child, at: 0)
            }
            return element
        default:
            throw ModelFileError(.unsupported, "the XML has no place for a property of \(type(of: property))")
        }
    }

    /// What all properties have in common. Call it after the attributes that are the property's own.
    static func setCommonAttributes(of property: NSPropertyDescription, on element: XMLTree) throws {
        element.set("optional", property.isOptional)
        if !(property is NSFetchedPropertyDescription) { element.set("transient", property.isTransient) }
        element.set("spotlightIndexingEnabled", property.isIndexedBySpotlight)
        element.set("storedInTruthFile", property.isStoredInExternalRecord)
        element.set("elementID", property.explicitRenamingIdentifier)
        element.set("versionHashModifier", property.versionHashModifier)
        element.children += try XMLModelWriter.userInfo(property.userInfo)
    }

    private static func element(for relationship: NSRelationshipDescription) throws -> XMLTree {
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
        try setCommonAttributes(of: relationship, on: element)
        return element
    }

    /// Whether an index is one that the reader makes of an attribute's `indexed`.
    private static func isLegacy(_ index: NSFetchIndexDescription, of entity: NSEntityDescription) -> Bool {
        guard index.elements.count == 1, let name = index.elements.first?.propertyName, index.name == name,
            index.partialIndexPredicate == nil,
            index.elements.allSatisfy({ $0.isAscending && $0.collationType == .binary })
        else { return false }
        return entity.ownProperties.contains { $0.name == name && $0.isIndexed }
    }

    private static func index(_ index: NSFetchIndexDescription) throws -> XMLTree {
        let element = XMLTree("fetchIndex", attributes: [("name", index.name)])
        element.set("partialIndexPredicate", index.partialIndexPredicate?.predicateFormat)
        element.children = index.elements.map { part in
            let child = XMLTree("fetchIndexElement")
            if let description = part.property as? NSExpressionDescription {
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
