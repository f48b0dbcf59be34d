import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// Reads `attribute` elements, of entities and of composites.
struct XMLAttributeReader {
    private static let maximumCompositeDepth = 16

    let composites: [String: XMLTree]
    let notes: XMLReadingWarnings

    /// Reads what attributes have beyond other properties.
    func attribute(_ element: XMLTree, named name: String, depth: Int = 0) throws -> NSAttributeDescription {
        let attribute = try make(element, depth: depth)
        attribute.attributeType =
            try element.nonEmpty("attributeType").map(Self.type(named:)) ?? .undefinedAttributeType
        if let transformer = element["valueTransformerName"], !transformer.isEmpty {
            attribute.valueTransformerName = transformer
        }
        if let className = element["customClassName"], !className.isEmpty {
            attribute.explicitValueClassName = className
        }
        attribute.allowsExternalBinaryDataStorage = element["allowsExternalBinaryDataStorage"] == "YES"
        attribute.preservesValueInHistoryOnDeletion = element["preserveAfterDeletion"] == "YES"
        attribute.allowsCloudEncryption = element["allowsCloudEncryption"] == "YES"
        let values = XMLAttributeValues(type: attribute.attributeType, notes: notes)
        attribute.defaultValue = values.defaultValue(of: element)
        let (predicates, warnings) = values.validation(of: element)
        attribute.setValidation(predicates, warnings: warnings)
        return attribute
    }

    private func make(_ element: XMLTree, depth: Int) throws -> NSAttributeDescription {
        if element["derived"] == "YES" || element.nonEmpty("derivationExpression") != nil {
            let derived = NSDerivedAttributeDescription()
            derived.derivationExpression = try element.nonEmpty("derivationExpression").map(DerivationExpression.parse)
            return derived
        }
        guard element["attributeType"] == "Composite" else { return NSAttributeDescription() }
        guard depth < Self.maximumCompositeDepth else {
            throw ModelFileError(.malformed, "composite attributes are nested too deep, or contain themselves")
        }
        let composite = NSCompositeAttributeDescription()
        let name = try XMLModelReader.requiredAttribute("composite", of: element)
        guard let definition = composites[name] else {
            throw ModelFileError(.malformed, "the composite \(name) is not in the model")
        }
        composite.elements = try definition.children(named: "attribute").map { child in
            let childName = try XMLModelReader.requiredAttribute("name", of: child)
            let part = try attribute(child, named: childName, depth: depth + 1)
            part.name = childName
            part.isOptional = child["optional"] == "YES"
            part.userInfo = XMLModelReader.userInfo(of: child)
            return part
        }
        return composite
    }

    /// The type that Xcode writes by that name.
    static func type(named name: String) throws -> NSAttributeType {
        guard let type = NSAttributeType(xmlName: name) else {
            throw ModelFileError(.malformed, "the attribute type \"\(name)\" is unknown")
        }
        return type
    }
}

extension NSAttributeType {
    private static let xmlNames: [(NSAttributeType, String)] = [
        (.undefinedAttributeType, "Undefined"), (.integer16AttributeType, "Integer 16"),
        (.integer32AttributeType, "Integer 32"), (.integer64AttributeType, "Integer 64"),
        (.decimalAttributeType, "Decimal"), (.doubleAttributeType, "Double"), (.floatAttributeType, "Float"),
        (.stringAttributeType, "String"), (.booleanAttributeType, "Boolean"), (.dateAttributeType, "Date"),
        (.binaryDataAttributeType, "Binary"), (.UUIDAttributeType, "UUID"), (.URIAttributeType, "URI"),
        (.transformableAttributeType, "Transformable"), (.objectIDAttributeType, "ObjectID"),
        (.compositeAttributeType, "Composite"),
    ]

    /// The type that Xcode's XML calls by that name.
    init?(xmlName: String) {
        guard let found = Self.xmlNames.first(where: { $0.1 == xmlName }) else { return nil }
        self = found.0
    }

    /// What Xcode's XML calls the type.
    package var xmlName: String {
        Self.xmlNames.first { $0.0 == self }?.1 ?? "Undefined"
    }
}
