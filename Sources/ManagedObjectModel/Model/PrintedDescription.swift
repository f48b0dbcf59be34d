import Foundation
import FoundationCompat

/// What `print` shows of a model and its parts, in the form that Apple's has in public logs.
enum PrintedDescription {
    /// A model with its entities and fetch request templates.
    static func text(of model: NSManagedObjectModel) -> String {
        "\(name(model)) isEditable \(digit(!model.isImmutable)), "
            + "entities \(list(model.entitiesByName.mapValues(\.description))), "
            + "fetch request templates \(list(model.fetchRequestTemplatesByName.mapValues(\.description)))"
    }

    /// An entity with its own and inherited properties.
    static func text(of entity: NSEntityDescription) -> String {
        let constraints = entity.uniquenessConstraints.map { properties in
            let names = properties.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
            return "(\(names.joined(separator: ", ")))"
        }
        return "\(name(entity)) name \(value(entity.name)), "
            + "managedObjectClassName \(value(entity.managedObjectClassName)), "
            + "renamingIdentifier \(value(entity.renamingIdentifier)), isAbstract \(digit(entity.isAbstract)), "
            + "superentity name \(value(entity.superentity?.name)), "
            + "properties \(list(entity.propertiesByName.mapValues(\.description))), "
            + "subentities \(list(entity.subentitiesByName.mapValues(\.description))), "
            + "userInfo \(notes(entity.userInfo)), versionHashModifier \(value(entity.versionHashModifier)), "
            + "uniquenessConstraints \(array(constraints))"
    }

    /// What all properties have.
    static func text(of property: NSPropertyDescription) -> String {
        "\(name(property)), name \(property.name), isOptional \(digit(property.isOptional)), "
            + "isTransient \(digit(property.isTransient)), entity \(value(property.declaringEntity?.name)), "
            + "renamingIdentifier \(value(property.renamingIdentifier)), "
            + "validation predicates \(array(property.validationPredicates.map(\.predicateFormat))), "
            + "warnings \(array(property.validationWarnings.map { "\($0)" })), "
            + "versionHashModifier \(value(property.versionHashModifier))\n userInfo \(notes(property.userInfo))"
    }

    /// What an attribute has beside that.
    static func details(of attribute: NSAttributeDescription) -> String {
        ", attributeType \(attribute.attributeType.rawValue) , "
            + "attributeValueClassName \(value(attribute.attributeValueClassName)), "
            + "defaultValue \(value(attribute.defaultValue)), "
            + "preservesValueInHistoryOnDeletion \(attribute.preservesValueInHistoryOnDeletion ? "YES" : "NO")"
    }

    /// What a relationship has beside that.
    static func details(of relationship: NSRelationshipDescription) -> String {
        ", destination entity \(value(relationship.destinationEntity?.name)), "
            + "inverseRelationship \(value(relationship.inverseRelationship?.name)), "
            + "minCount \(relationship.minCount), maxCount \(relationship.maxCount), "
            + "isOrdered \(digit(relationship.isOrdered)), deleteRule \(relationship.deleteRule.rawValue)"
    }

    private static func name(_ object: NSObject) -> String {
        "(<\(type(of: object)): \(ObjectAddress.text(of: object))>)"
    }

    private static func digit(_ isTrue: Bool) -> Int { isTrue ? 1 : 0 }

    private static func value(_ value: Any?) -> String { value.map { "\($0)" } ?? "(null)" }

    private static func notes(_ notes: [AnyHashable: Any]?) -> String {
        list(Dictionary((notes ?? [:]).map { ("\($0)", "\($1)") }) { first, _ in first })
    }

    private static func list(_ texts: [String: String]) -> String {
        let lines = texts.sorted { $0.key < $1.key }.map { "    \(quotedIfNeeded($0)) = \(quotedIfNeeded($1));\n" }
        return "{\n\(lines.joined())}"
    }

    private static func array(_ texts: [String]) -> String {
        "(\n\(texts.map { "    \(quotedIfNeeded($0))" }.joined(separator: ",\n"))\(texts.isEmpty ? "" : "\n"))"
    }

    /// Words stand as they are, as in property lists of old.
    private static func quotedIfNeeded(_ text: String) -> String {
        if !text.isEmpty, text.utf8.allSatisfy(isWordByte) { return text }
        // Each level of a nested description is quoted again, so that the texts are long.
        var escaped: [UInt8] = [UInt8(ascii: "\"")]
        escaped.reserveCapacity(text.utf8.count + text.utf8.count / 4 + 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"), UInt8(ascii: "\""):
                escaped.append(UInt8(ascii: "\\"))
                escaped.append(byte)
            case UInt8(ascii: "\n"):
                escaped.append(UInt8(ascii: "\\"))
                escaped.append(UInt8(ascii: "n"))
            default: escaped.append(byte)
            }
        }
        escaped.append(UInt8(ascii: "\""))
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
