import TestSupport
import CoreData
import Foundation

/// Values of a property's type, from small pools so that they meet again.
package struct RandomValues {
    package var random: SeededGenerator

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    package mutating func pick<Element>(_ values: [Element]) -> Element {
        values[Int(random.next() % UInt64(values.count))]
    }

    package mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

    package static let strings = [
        "", "a", "A", "b", "ab", "Ab", "aB", "ä", "Ä", "a\u{308}", "é", "e\u{301}", "E", "ß", "ss", "SS", "ı", "i", "I",
        "İ",
        "a*b", "a?b", "10%", "a\\b", "it's", "\"q\"", "日本", "日", "🐉", "🐉🐲", "\u{FFFD}", "\u{E000}", "Σ", "ς", "σ",
        "zz top",
    ]
    package static let integers: [Int64] = [-3, -1, 0, 1, 2, 3, 5, 7, 10, 100]
    package static let doubles: [Double] = [-2.5, -1, 0, 0.1, 0.5, 1, 1.5, 2, 3, 1e10]
    package static let decimals = ["-1", "0", "0.1", "0.3", "1", "2.5", "10.11", "100"].map { Decimal(string: $0)! }
    package static let dates = [-86400.5, 0, 1, 86400, 1e9].map { Date(timeIntervalSinceReferenceDate: $0) }
    package static let identifiers = (0..<5).map {
        UUID(uuid: (UInt8($0 * 50), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }
    package static let blobs = [Data(), Data([0]), Data([1, 2]), Data([255])]
    package static let urls = ["https://a.org", "https://b.org/x?y=z", "file:///tmp"].map { URL(string: $0)! }

    /// A value of the attribute's type; nil where the type has none here.
    package mutating func value(of attribute: NSAttributeDescription) -> Any? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType:
            return NSNumber(value: pick(Self.integers))
        case .integer64AttributeType: return NSNumber(value: pick(Self.integers + [1 << 53, .max]))
        case .doubleAttributeType, .floatAttributeType: return NSNumber(value: pick(Self.doubles))
        case .decimalAttributeType: return NSDecimalNumber(decimal: pick(Self.decimals))
        case .booleanAttributeType: return NSNumber(value: chance(50))
        case .stringAttributeType: return pick(Self.strings)
        case .dateAttributeType: return pick(Self.dates)
        case .UUIDAttributeType: return pick(Self.identifiers)
        case .URIAttributeType: return pick(Self.urls)
        case .binaryDataAttributeType: return pick(Self.blobs)
        case .transformableAttributeType: return pick([["a"], ["a", "b"], []]) as NSArray
        default: return nil
        }
    }

    /// Fills a context with so many objects of each concrete entity, and relates them.
    package mutating func fill(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel, objects count: Int) {
        let entities = model.entities.filter { !$0.isAbstract }
        var objects: [NSManagedObject] = []
        for number in 0..<count {
            let entity = entities[number % entities.count]
            let object = NSManagedObject(entity: entity, insertInto: context)
            for case let attribute as NSAttributeDescription in entity.properties where !attribute.isTransient {
                if attribute.isOptional, chance(20) { continue }
                object.setValue(value(for: attribute), forKey: attribute.name)
            }
            objects.append(object)
        }
        for object in objects { relate(object, among: objects) }
    }

    private mutating func value(for attribute: NSAttributeDescription) -> Any? {
        guard let composite = attribute as? NSCompositeAttributeDescription else { return value(of: attribute) }
        var values: [String: Any] = [:]
        for element in composite.elements where !chance(20) { values[element.name] = value(of: element) }
        return values
    }

    private mutating func relate(_ object: NSManagedObject, among objects: [NSManagedObject]) {
        for case let relationship as NSRelationshipDescription in object.entity.properties {
            guard let destination = relationship.destinationEntity, !relationship.isOptional || chance(60) else {
                continue
            }
            // A handful of candidates is looked at; a fit one among them will do.
            let fitting = (0..<24).map { _ in pick(objects) }.filter {
                $0.entity.isKindOf(entity: destination) && $0 !== object
            }
            if relationship.isToMany {
                if let one = fitting.first, relationship.inverseRelationship?.isToMany ?? true {
                    object.addMember(one, toRelationshipNamed: relationship.name)
                }
            } else if let one = fitting.first {
                object.setValue(one, forKey: relationship.name)
            }
        }
    }
}

extension NSManagedObject {
    fileprivate func addMember(_ member: NSManagedObject, toRelationshipNamed name: String) {
        if let set = value(forKey: name) as? NSOrderedSet {
            setValue(NSOrderedSet(array: set.array + [member]), forKey: name)
        } else {
            setValue((value(forKey: name) as? Set<NSManagedObject> ?? []).union([member]), forKey: name)
        }
    }
}
