import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

/// Reads the contents of an `entity` element.
struct XMLEntityReader {
    let composites: [String: XMLTree]
    let notes: XMLReadingWarnings

    func read(_ element: XMLTree, into entity: NSEntityDescription) throws {
        if let className = element["representedClassName"], !className.isEmpty { entity.explicitClassName = className }
        entity.isAbstract = element["isAbstract"] == "YES"
        entity.explicitRenamingIdentifier = element.nonEmpty("elementID")
        entity.versionHashModifier = element["versionHashModifier"]
        entity.userInfo = XMLModelReader.userInfo(of: element)
        let attributes = XMLAttributeReader(composites: composites, notes: notes)
        var names: Set<String> = []
        let properties = try element.children.compactMap { child -> NSPropertyDescription? in
            guard ["attribute", "relationship", "fetchedProperty"].contains(child.name) else { return nil }
            let name = try XMLModelReader.requiredAttribute("name", of: child)
            guard names.insert(name).inserted else {
                throw ModelFileError(
                    .malformed, "there are two properties of the name \(name)", position: child.position)
            }
            do {
                let property = try notes.at(entity: entity.name, property: name) { () -> NSPropertyDescription? in
                    switch child.name {
                    case "attribute": try attributes.attribute(child, named: name)
                    case "relationship": relationship(child)
                    default: fetchedProperty(child)
                    }
                }
                guard let property else { return nil }
                readCommonAttributes(of: child, named: name, into: property)
                return property
            } catch let error as ModelFileError {
                throw error.located(
                    at: "entity \(entity.name ?? ""), property \(name)", position: child.position)
            }
        }
        entity.declare(properties: properties)
        entity.uniquenessConstraints = lists(
            of: element, in: "uniquenessConstraints", "uniquenessConstraint", "constraint")
        entity.indexes = try element.children(named: "fetchIndex").compactMap { try index($0, of: entity) }
        entity.compoundIndexes = lists(of: element, in: "compoundIndexes", "compoundIndex", "index")
        LegacyIndexes.reconcile(entity)
    }

    private func readCommonAttributes(of element: XMLTree, named name: String, into property: NSPropertyDescription) {
        property.name = name
        property.isOptional = element["optional"] == "YES"
        if element["transient"] == "YES" { property.isTransient = true }
        // Compilers take no notice of it on relationships, whose columns have an index anyway.
        property.isIndexed = property is NSAttributeDescription && element["indexed"] == "YES"
        property.isIndexedBySpotlight = element["spotlightIndexingEnabled"] == "YES"
        property.isStoredInExternalRecord = element["storedInTruthFile"] == "YES"
        property.versionHashModifier = element["versionHashModifier"]
        property.explicitRenamingIdentifier = element.nonEmpty("elementID") ?? element.nonEmpty("renamingIdentifier")
        property.userInfo = XMLModelReader.userInfo(of: element)
    }

    private func relationship(_ element: XMLTree) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.destinationEntityName = element.nonEmpty("destinationEntity")
        relationship.inverseRelationshipName = element.nonEmpty("inverseName")
        let isToMany = element["toMany"] == "YES"
        relationship.maxCount = notes.integer("maxCount", of: element) ?? (isToMany ? 0 : 1)
        relationship.minCount = notes.integer("minCount", of: element) ?? 0
        relationship.isOrdered = element["ordered"] == "YES"
        switch element.nonEmpty("deletionRule") {
        case "Nullify", nil: relationship.deleteRule = .nullifyDeleteRule
        case "Cascade": relationship.deleteRule = .cascadeDeleteRule
        case "Deny": relationship.deleteRule = .denyDeleteRule
        case "No Action": relationship.deleteRule = .noActionDeleteRule
        case let rule?:
            notes.warn("the delete rule \"\(rule)\" is unknown; Nullify is taken")
            relationship.deleteRule = .nullifyDeleteRule
        }
        return relationship
    }

    /// Nil where its request can't be understood.
    private func fetchedProperty(_ element: XMLTree) -> NSFetchedPropertyDescription? {
        let property = NSFetchedPropertyDescription()
        if let request = element.children(named: "fetchRequest").first {
            do {
                property.fetchRequest = try XMLModelReader.fetchRequest(request, notes: notes)
            } catch {
                notes.warn("the fetched property is left out: \(error)")
                return nil
            }
        }
        return property
    }

    /// Lists of names, three elements deep, without the empty rows that Xcode's editor leaves.
    private func lists(of element: XMLTree, in outer: String, _ middle: String, _ inner: String) -> [[String]] {
        element.children(named: outer).flatMap { $0.children(named: middle) }.map { list in
            list.children(named: inner).compactMap { $0.nonEmpty("value") }
        }.filter { !$0.isEmpty }
    }

    /// Nil where it can't be understood: it only makes fetches faster.
    private func index(_ element: XMLTree, of entity: NSEntityDescription) throws -> NSFetchIndexDescription? {
        let name = try XMLModelReader.requiredAttribute("name", of: element)
        let place = "entity \(entity.name ?? ""), index \(name)"
        do {
            let elements = try element.children(named: "fetchIndexElement").enumerated().map { number, child in
                try indexElement(child, number: number + 1)
            }
            guard Set(elements.map(\.collationType)).count <= 1 else {
                throw ModelFileError(.malformed, "an index cannot have both R-tree and binary elements")
            }
            let index = NSFetchIndexDescription(name: name, elements: elements)
            index.partialIndexPredicate = try element.nonEmpty("partialIndexPredicate").map {
                try NSPredicate.parse($0, argumentArray: [])
            }
            return index
        } catch let error as ModelFileError {
            throw error.located(at: place, position: element.position)
        } catch {
            notes.at(entity: entity.name) {
                notes.warn("the index \(name) is left out, as its predicate cannot be understood: \(error)")
            }
            return nil
        }
    }

    private func indexElement(_ element: XMLTree, number: Int) throws -> NSFetchIndexElementDescription {
        let type: NSFetchIndexElementType
        switch element["type"] {
        case "Binary", nil: type = .binary
        case "RTree", "R-Tree": type = .rTree
        case let other?: throw ModelFileError(.malformed, "the index type \"\(other)\" is unknown")
        }
        let result: NSFetchIndexElementDescription
        if let property = element["property"] {
            result = NSFetchIndexElementDescription(propertyName: property, collationType: type)
        } else {
            let description = NSExpressionDescription()
            description.name = "expression\(number)"
            let format = try XMLModelReader.requiredAttribute("expression", of: element)
            do {
                description.expression = try NSExpression.parse(format, argumentArray: [])
            } catch {
                throw ModelFileError(.malformed, "the expression \"\(format)\" cannot be understood: \(error)")
            }
            if let type = element["expressionType"] {
                description.expressionResultType = try XMLAttributeReader.type(named: type)
            }
            result = NSFetchIndexElementDescription(property: description, collationType: type)
        }
        result.isAscending = element["order"] != "descending"
        return result
    }
}
