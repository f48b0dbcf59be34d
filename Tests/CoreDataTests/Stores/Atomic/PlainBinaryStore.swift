import CoreData
import Foundation

/// A binary store as Foundation's unarchiver sees it.
struct PlainBinaryStore {
    struct Object: Equatable {
        let entity: String
        let values: [NSObject]
        let destinations: [String: [Int]]
    }

    let objects: [Int: Object]
    let metadata: [String: Any]
    let lastNumber: Int

    init(_ url: URL) throws {
        let data = try Data(contentsOf: url)
        func number(_ offset: Int) -> Int { data[offset..<(offset + 8)].reduce(0) { $0 << 8 | Int($1) } }
        func part(_ offset: Int) -> Data { Data(data[number(offset)..<(number(offset) + number(offset + 8))]) }
        lastNumber = number(48)
        metadata = try Self.unarchive(part(16), key: "metadata") as? [String: Any] ?? [:]
        let nodes = try Self.unarchive(part(32), key: "mapData") as? [NSNumber: MapNode] ?? [:]
        objects = Dictionary(uniqueKeysWithValues: nodes.map { ($0.intValue, $1.object) })
    }

    private static func unarchive(_ data: Data, key: String) throws -> Any? {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(MapNode.self, forClassName: "NSDictionaryMapNode")
        defer { unarchiver.finishDecoding() }
        return unarchiver.decodeObject(forKey: key)
    }

    private final class MapNode: NSObject, NSCoding {
        let object: Object

        init?(coder: NSCoder) {
            guard let entity = coder.decodeObject(forKey: "NSEntityName") as? String,
                let values = coder.decodeObject(forKey: "NSAttributeValues") as? [Any]
            else { return nil }
            let hasRelated = coder.containsValue(forKey: "NSRelatedNodes")
            let related = hasRelated ? coder.decodeObject(forKey: "NSRelatedNodes") as? [String: [NSNumber]] : nil
            object = Object(
                entity: entity, values: values.map { ($0 as? NSObject) ?? ($0 as AnyObject as! NSObject) },
                destinations: (related ?? [:]).mapValues { $0.map(\.intValue) })
        }

        func encode(with coder: NSCoder) {}
    }

    // MARK: A model of what is in the file

    /// Attributes by their places; relationships are ordered unless no object has more than one destination.
    func model() -> NSManagedObjectModel {
        let root = NSEntityDescription()
        root.name = "AnyObject"
        root.isAbstract = true
        for (name, group) in Dictionary(grouping: objects.values, by: \.entity) {
            let entity = NSEntityDescription()
            entity.name = name
            root.subentities.append(entity)
            let relationshipNames = Set(group.flatMap(\.destinations.keys))
            let relationships = relationshipNames.map { name in
                let relationship = NSRelationshipDescription()
                relationship.name = name
                relationship.isOptional = true
                relationship.destinationEntity = root
                relationship.maxCount = group.contains { $0.destinations[name, default: []].count > 1 } ? 0 : 1
                relationship.isOrdered = relationship.maxCount == 0
                return relationship
            }
            let attributes = (0..<(group[0].values.count - relationships.count)).map { index in
                let attribute = NSAttributeDescription()
                attribute.name = Self.name(index)
                attribute.isOptional = true
                let isNumber = group.contains { $0.values[index] is NSNumber }
                attribute.attributeType = isNumber ? .integer64AttributeType : .stringAttributeType
                return attribute
            }
            entity.properties = attributes + relationships
        }
        let model = NSManagedObjectModel()
        model.entities = [root] + root.subentities
        return model
    }

    static func name(_ index: Int) -> String { String(format: "a%02d", index) }
}
