import CoreData

/// An object as the tool prints it: attributes by type, to-one as a URI or null, to-many as a list of URIs.
struct ObjectRecord {
    let objectID: String
    let entityName: String
    /// By name, in order.
    let properties: [(name: String, value: JSONValue)]

    init(_ object: NSManagedObject) {
        objectID = Self.uri(of: object)
        entityName = object.entity.name ?? ""
        properties = object.entity.propertiesByName.sorted { $0.key < $1.key }.compactMap { name, property in
            switch property {
            case let attribute as NSAttributeDescription:
                (name, Self.value(of: attribute, in: object))
            case let relationship as NSRelationshipDescription:
                (name, Self.value(of: relationship, in: object))
            default:
                nil  // A fetched property is a query of its own.
            }
        }
    }

    /// One object with the keys `objectID` and `entity` beside the properties. A property of such a name would
    /// hide them, so it's prefixed with the entity's name.
    var json: JSONValue {
        var members = ["objectID": JSONValue.string(objectID), "entity": .string(entityName)]
        for (name, value) in properties {
            members[members[name] == nil ? name : "\(entityName).\(name)"] = value
        }
        return .object(members)
    }

    /// A heading line, then a line for each property that isn't nil.
    var text: String {
        var lines = ["\(entityName) \(objectID)"]
        let width = properties.map(\.name.count).max() ?? 0
        for (name, value) in properties where value != .null {
            lines.append("  " + name.padding(toLength: width, withPad: " ", startingAt: 0) + "  " + Self.plain(value))
        }
        return lines.joined(separator: "\n")
    }

    private static func plain(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): text
        case .array(let items): items.map(plain).joined(separator: " ")
        default: value.text()
        }
    }

    private static func uri(of object: NSManagedObject) -> String {
        object.objectID.uriRepresentation().absoluteString
    }

    private static func value(of attribute: NSAttributeDescription, in object: NSManagedObject) -> JSONValue {
        if attribute.attributeType == .transformableAttributeType {
            return JSONValue(object.storedData(forTransformable: attribute.name))
        }
        let value = object.value(forKey: attribute.name)
        guard let number = value as? NSNumber else { return JSONValue(value) }
        // The attribute's type decides, not the class of the number that happens to hold the value.
        return switch attribute.attributeType {
        case .booleanAttributeType: .bool(number.boolValue)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: .integer(number.int64Value)
        case .doubleAttributeType, .floatAttributeType: .number(number.doubleValue)
        case .decimalAttributeType: .string(number.decimalValue.description)
        default: JSONValue(number)
        }
    }

    private static func value(of relationship: NSRelationshipDescription, in object: NSManagedObject) -> JSONValue {
        let value = object.value(forKey: relationship.name)
        guard relationship.isToMany else {
            return (value as? NSManagedObject).map { .string(uri(of: $0)) } ?? .null
        }
        if let ordered = value as? NSOrderedSet {
            return .array(ordered.compactMap { $0 as? NSManagedObject }.map { .string(uri(of: $0)) })
        }
        let uris = (value as? Set<NSManagedObject> ?? []).map(uri)
        return .array(uris.sorted { $0.localizedStandardCompare($1) == .orderedAscending }.map { .string($0) })
    }
}
