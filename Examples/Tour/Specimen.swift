import CoreData

/// A new object that its entity's rules accept. Where there are objects of the entity, it's a likeness of one, as
/// that one's values are valid; else its required attributes get plain values.
@MainActor
struct Specimen {
    let object: NSManagedObject

    init(of entity: NSEntityDescription, in context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        request.fetchLimit = 1
        let exemplar = try context.fetch(request).first
        object = NSManagedObject(entity: entity, insertInto: context)
        let unique = Self.uniqueNames(of: entity)
        for (name, attribute) in entity.attributesByName where Self.isSettable(attribute) {
            guard let value = exemplar?.value(forKey: name) ?? Self.requiredValue(of: attribute, in: object) else {
                continue
            }
            object.setValue(unique.contains(name) ? Self.different(from: value) : value, forKey: name)
        }
        for (name, relationship) in entity.relationshipsByName where !relationship.isOptional {
            if let value = exemplar?.value(forKey: name), !relationship.isToMany {
                object.setValue(value, forKey: name)
            }
        }
    }

    /// Fewer required relationships first, then by name.
    static func isEasier(_ left: NSEntityDescription, _ right: NSEntityDescription) -> Bool {
        func demands(_ entity: NSEntityDescription) -> Int {
            entity.relationshipsByName.values.count { !$0.isOptional }
        }
        return (demands(left), left.name ?? "") < (demands(right), right.name ?? "")
    }

    /// An attribute that can be changed without breaking a constraint, and a value that it doesn't have.
    static func anotherValue(for object: NSManagedObject) -> (key: String, value: Any)? {
        let unique = uniqueNames(of: object.entity)
        let attributes = object.entity.attributesByName.values
            .filter { isSettable($0) && !unique.contains($0.name) && $0.validationPredicates.isEmpty }
            .sorted { $0.name < $1.name }
        for attribute in attributes {
            guard let value = object.value(forKey: attribute.name) ?? plainValue(for: attribute),
                let other = different(from: value)
            else { continue }
            return (attribute.name, other)
        }
        return nil
    }

    /// What a required attribute gets: its default value, else a plain one.
    private static func requiredValue(of attribute: NSAttributeDescription, in object: NSManagedObject) -> Any? {
        attribute.isOptional ? nil : object.value(forKey: attribute.name) ?? plainValue(for: attribute)
    }

    private static func isSettable(_ attribute: NSAttributeDescription) -> Bool {
        !attribute.isTransient && !(attribute is NSDerivedAttributeDescription)
    }

    private static func uniqueNames(of entity: NSEntityDescription) -> Set<String> {
        var names: Set<String> = []
        for ancestor in sequence(first: entity, next: \.superentity) {
            names.formUnion(ancestor.uniquenessConstraints.joined().compactMap(name(ofConstrained:)))
        }
        return names
    }

    /// A constraint lists its attributes by name or by description.
    private static func name(ofConstrained attribute: Any) -> String? {
        attribute as? String ?? (attribute as? NSPropertyDescription)?.name
    }

    private static func plainValue(for attribute: NSAttributeDescription) -> Any? {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType:
            NSNumber(value: 1)
        case .booleanAttributeType: NSNumber(value: true)
        case .decimalAttributeType: NSDecimalNumber(value: 1)
        case .stringAttributeType: "Made on Linux"
        case .dateAttributeType: Date()
        case .binaryDataAttributeType: Data("Made on Linux".utf8)
        case .UUIDAttributeType: UUID()
        case .URIAttributeType: URL(string: "https://swift.org/")
        default: nil
        }
    }

    private static func different(from value: Any) -> Any? {
        switch value {
        case let text as String: text + " (made on Linux)"
        case let decimal as NSDecimalNumber: decimal.adding(1)
        case let number as NSNumber where UInt8(bitPattern: number.objCType.pointee) == UInt8(ascii: "c"):
            NSNumber(value: !number.boolValue)
        case let number as NSNumber: NSNumber(value: number.int64Value == .max ? 0 : number.int64Value + 1)
        case let date as Date: date.addingTimeInterval(1)
        case is UUID: UUID()
        case let data as Data: data + Data([0])
        case let url as URL: url.appendingPathComponent("made-on-linux")
        default: nil
        }
    }
}
