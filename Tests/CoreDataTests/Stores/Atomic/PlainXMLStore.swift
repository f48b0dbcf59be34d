import CoreData
import Foundation
import FoundationXML

/// An XML store as a plain XML parser sees it.
final class PlainXMLStore: NSObject, XMLParserDelegate {
    struct Object {
        let type: String
        let number: Int
        var attributes: [(name: String, type: String, text: String)] = []
        var relationships: [(name: String, cardinality: String, destination: String, numbers: [Int])] = []
    }

    private(set) var objects: [Object] = []
    /// The names of the entities, from the keys of the metadata.
    private(set) var entityNames: [String: String] = [:]
    private(set) var identifier = ""
    private var text = ""
    private var attribute: (name: String, type: String)?

    init(_ url: URL) throws {
        super.init()
        let parser = XMLParser(data: try Data(contentsOf: url))
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        text = ""
        switch name {
        case "object":
            objects.append(Object(type: attributes["type"]!, number: Int(attributes["id"]!.dropFirst())!))
        case "attribute": attribute = (attributes["name"]!, attributes["type"]!)
        case "relationship":
            let numbers = attributes["idrefs", default: ""].split(separator: " ").map { Int($0.dropFirst())! }
            objects[objects.count - 1].relationships.append(
                (attributes["name"]!, attributes["type"]!, attributes["destination"]!, numbers))
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        switch name {
        case "key": entityNames[text.uppercased()] = text
        case "UUID": identifier = text
        case "attribute":
            if let attribute { objects[objects.count - 1].attributes.append((attribute.name, attribute.type, text)) }
            attribute = nil
        default: break
        }
    }

    /// What `\u3c00` and `\\` stand for.
    static func unescaped(_ text: String) -> String {
        let parts = text.components(separatedBy: "\\\\").map { part in
            ["\\u3c00": "<", "\\u3e00": ">", "\\u2600": "&"].reduce(part) {
                $0.replacingOccurrences(of: $1.key, with: $1.value)
            }
        }
        return parts.joined(separator: "\\")
    }

    /// Whether a value is what the text says.
    static func matches(_ value: Any?, _ type: String, _ text: String) -> Bool {
        switch type {
        case "string": value as? String == unescaped(text)
        case "bool": value as? Bool == (text == "1")
        case "int16", "int32", "int64": value as? Int == Int(text)
        case "float", "double": value as? Double == Double(text)
        case "date": (value as? Date)?.timeIntervalSinceReferenceDate == Double(text)
        case "binary": value as? Data == Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        default: false
        }
    }

    // MARK: A model of what is in the file

    private var typesByNumber: [Int: String] {
        Dictionary(objects.map { ($0.number, $0.type) }) { first, _ in first }
    }

    /// The types that relationships name instead of those of the objects that they lead to.
    private var superTypes: [String: Set<String>] {
        let types = typesByNumber
        var above: [String: Set<String>] = [:]
        for relationship in objects.flatMap(\.relationships) {
            for type in relationship.numbers.compactMap({ types[$0] }) where type != relationship.destination {
                above[type, default: []].insert(relationship.destination)
            }
        }
        return above
    }

    /// Whether ``model()`` takes an entity that has objects for one above another. It is wrong then in files that were
    /// edited by hand, and gives objects relationships that they don't have.
    var guessesInheritance: Bool {
        !Set(objects.map(\.type)).isDisjoint(with: superTypes.values.reduce(into: []) { $0.formUnion($1) })
    }

    /// Everything optional, without inverses; an entity is below those that relationships to its objects name.
    func model() -> NSManagedObjectModel {
        var entities: [String: NSEntityDescription] = [:]
        let types = typesByNumber
        let relationships = objects.flatMap(\.relationships)
        for type in Set(types.values).union(objects.map(\.type)).union(relationships.map(\.destination)) {
            let entity = NSEntityDescription()
            entity.name = entityNames[type] ?? type
            entities[type] = entity
        }
        let above = superTypes
        for (type, superTypes) in above {
            for (lower, upper) in zip([type] + superTypes.sorted(), superTypes.sorted()) {
                if entities[lower]!.superentity == nil { entities[upper]!.subentities.append(entities[lower]!) }
            }
        }
        for (type, entity) in entities {
            var inherited = Set<String>()
            var upper = entity.superentity
            while let current = upper {
                let upperType = current.name!.uppercased()
                for object in objects where object.type == upperType { inherited.formUnion(Self.names(object)) }
                upper = current.superentity
            }
            entity.properties = properties(of: type, entities, except: inherited)
        }
        let model = NSManagedObjectModel()
        model.entities = Array(entities.values)
        return model
    }

    private static func names(_ object: Object) -> [String] {
        object.attributes.map(\.name) + object.relationships.map(\.name)
    }

    private func properties(
        of type: String, _ entities: [String: NSEntityDescription], except inherited: Set<String>
    ) -> [NSPropertyDescription] {
        var found: [String: NSPropertyDescription] = [:]
        for object in objects where object.type == type {
            for (name, type, _) in object.attributes where !inherited.contains(name) {
                let attribute = NSAttributeDescription()
                attribute.name = name
                attribute.isOptional = true
                attribute.attributeType = Self.attributeTypes[type] ?? .undefinedAttributeType
                found[name] = attribute
            }
            for (name, cardinality, destination, _) in object.relationships where !inherited.contains(name) {
                let relationship = NSRelationshipDescription()
                relationship.name = name
                relationship.isOptional = true
                let counts = cardinality.split(separator: "/").compactMap { Int($0) }
                relationship.minCount = counts[0]
                relationship.maxCount = counts[1]
                relationship.destinationEntity = entities[destination]
                found[name] = relationship
            }
        }
        return Array(found.values)
    }

    private static let attributeTypes: [String: NSAttributeType] = [
        "string": .stringAttributeType, "bool": .booleanAttributeType, "int16": .integer16AttributeType,
        "int32": .integer32AttributeType, "int64": .integer64AttributeType, "float": .floatAttributeType,
        "double": .doubleAttributeType, "date": .dateAttributeType, "binary": .binaryDataAttributeType,
    ]
}
