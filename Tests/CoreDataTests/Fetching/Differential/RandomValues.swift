import CoreData
import Foundation

/// Values of a property's type, from small pools so that they meet again.
struct RandomValues {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func pick<Element>(_ values: [Element]) -> Element { values[Int(random.next() % UInt64(values.count))] }

    mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

    /// A value of the attribute's type; nil where the type has none here.
    mutating func value(of attribute: NSAttributeDescription) -> Any? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType:
            return NSNumber(value: pick(SQLiteQueryGenerator.integers))
        case .integer64AttributeType: return NSNumber(value: pick(SQLiteQueryGenerator.integers + [1 << 53, .max]))
        case .doubleAttributeType, .floatAttributeType: return NSNumber(value: pick(SQLiteQueryGenerator.doubles))
        case .decimalAttributeType: return NSDecimalNumber(decimal: pick(SQLiteQueryGenerator.decimals))
        case .booleanAttributeType: return NSNumber(value: chance(50))
        case .stringAttributeType: return pick(SQLiteQueryGenerator.strings)
        case .dateAttributeType: return pick(SQLiteQueryGenerator.dates)
        case .UUIDAttributeType: return pick(SQLiteQueryGenerator.identifiers)
        case .URIAttributeType: return pick(SQLiteQueryGenerator.urls)
        case .binaryDataAttributeType: return pick(SQLiteQueryGenerator.blobs)
        case .transformableAttributeType: return pick([["a"], ["a", "b"], []]) as NSArray
        default: return nil
        }
    }

    /// Fills a context with so many objects of each concrete entity, and relates them.
    mutating func fill(_ context: NSManagedObjectContext, _ model: NSManagedObjectModel, objects count: Int) {
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
            setValue(members(name).union([member]), forKey: name)
        }
    }
}
