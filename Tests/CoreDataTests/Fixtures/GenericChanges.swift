import CoreData
import Foundation

/// Inserts, updates, links and deletes objects of every entity of a model that it knows nothing about.
///
/// Each change is a save of its own; one that the model's own rules refuse is rolled back and counted.
final class GenericChanges {
    enum Kind: CaseIterable { case insert, update, link, unlink, delete }

    private let context: NSManagedObjectContext
    private let model: NSManagedObjectModel
    private(set) var saved: [Kind: Int] = [:]
    private(set) var refused: [Kind: Int] = [:]
    private var counter = 0

    init(context: NSManagedObjectContext, model: NSManagedObjectModel) {
        self.context = context
        self.model = model
    }

    func run() throws {
        let entities = model.entities.filter { !$0.isAbstract }.sorted { $0.name! < $1.name! }
        for kind in Kind.allCases {
            for entity in entities { try change(kind, entity) }
        }
    }

    private func change(_ kind: Kind, _ entity: NSEntityDescription) throws {
        switch kind {
        case .insert: try save(kind) { make(entity, depth: 0) }
        case .update:
            guard let object = try some(entity, count: 5).last else { return }
            try save(kind) { fill(object, all: true, onlyPlain: true) }
        case .link, .unlink:
            for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name }) {
                guard let object = try some(entity, count: 2).last else { return }
                try save(kind) { try change(relationship, of: object, isAdding: kind == .link) }
            }
        case .delete:
            guard let object = try some(entity, count: 3).last else { return }
            try save(kind) { context.delete(object) }
        }
    }

    private func save(_ kind: Kind, _ change: () throws -> Void) throws {
        try change()
        guard context.hasChanges else { return }
        do {
            try context.save()
            saved[kind, default: 0] += 1
        } catch let error as NSError where Self.isRefusal(error) {
            context.rollback()
            refused[kind, default: 0] += 1
        }
    }

    /// The codes of validation, and of a broken uniqueness constraint.
    private static func isRefusal(_ error: NSError) -> Bool {
        error.domain == NSCocoaErrorDomain && ((1550...1699).contains(error.code) || error.code == 133021)
    }

    private func some(_ entity: NSEntityDescription, count: Int) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
        request.includesSubentities = false
        request.fetchLimit = count
        return try context.fetch(request)
    }

    // MARK: Objects

    @discardableResult
    private func make(_ entity: NSEntityDescription, depth: Int) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity.name!, into: context)
        fill(object, all: depth == 0, onlyPlain: false)
        for relationship in entity.relationshipsByName.values.sorted(by: { $0.name < $1.name })
        where !relationship.isOptional && depth < 4 {
            guard let destination = Self.concrete(relationship.destinationEntity!) else { continue }
            if relationship.isToMany {
                if count(of: relationship, in: object) < max(1, relationship.minCount) {
                    add(make(destination, depth: depth + 1), to: relationship, of: object)
                }
            } else if object.value(forKey: relationship.name) == nil {
                object.setValue(make(destination, depth: depth + 1), forKey: relationship.name)
            }
        }
        return object
    }

    private static func concrete(_ entity: NSEntityDescription) -> NSEntityDescription? {
        if !entity.isAbstract { return entity }
        return entity.subentities.sorted { $0.name! < $1.name! }.lazy.compactMap { concrete($0) }.first
    }

    /// - Parameters:
    ///   - all: whether optional attributes get values too.
    ///   - onlyPlain: whether those that are unique keep theirs.
    private func fill(_ object: NSManagedObject, all: Bool, onlyPlain: Bool) {
        let unique = Set(
            sequence(first: object.entity, next: { $0.superentity })
                .flatMap { $0.uniquenessConstraints.flatMap { $0 } }.map { "\($0)" })
        for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
        where !(attribute is NSDerivedAttributeDescription) && !(onlyPlain && unique.contains(name)) {
            if attribute.isOptional, !all, !unique.contains(name) { continue }
            guard let value = value(for: attribute, unique: unique.contains(name)) else { continue }
            var checked: Any? = value
            if (try? object.validateValue(&checked, forKey: name)) == nil { continue }
            object.setValue(value, forKey: name)
        }
    }

    private func value(for attribute: NSAttributeDescription, unique: Bool) -> Any? {
        counter += 1
        let number = unique ? 20000 + counter : 3 + counter % 90
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: return number
        case .doubleAttributeType: return Double(number) + 0.5
        case .floatAttributeType: return Float(number) + 0.25
        case .decimalAttributeType: return NSDecimalNumber(string: "\(number).5")
        case .booleanAttributeType: return number.isMultiple(of: 2)
        case .stringAttributeType: return "text \(number) é \u{1F4DA}"
        case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: 700_000_000.5 + Double(number))
        case .binaryDataAttributeType: return Data("data \(number)".utf8)
        case .UUIDAttributeType: return UUID()
        case .URIAttributeType: return URL(string: "https://example.com/\(number)")
        default: return nil
        }
    }

    // MARK: Relationships

    private func change(_ relationship: NSRelationshipDescription, of object: NSManagedObject, isAdding: Bool) throws {
        if relationship.isTransient { return }
        if relationship.isToMany {
            if isAdding {
                let request = NSFetchRequest<NSManagedObject>(entityName: relationship.destinationEntity!.name!)
                request.fetchLimit = 4
                for other in try context.fetch(request).dropFirst(1) { add(other, to: relationship, of: object) }
            } else if let first = members(of: relationship, in: object).first {
                remove(first, from: relationship, of: object)
            }
        } else if isAdding {
            let request = NSFetchRequest<NSManagedObject>(entityName: relationship.destinationEntity!.name!)
            request.fetchLimit = 2
            if let other = try context.fetch(request).last { object.setValue(other, forKey: relationship.name) }
        } else {
            object.setValue(nil, forKey: relationship.name)
        }
    }

    private func members(of relationship: NSRelationshipDescription, in object: NSManagedObject) -> [NSManagedObject] {
        switch object.value(forKey: relationship.name) {
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>:
            set.sorted { $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path }
        default: []
        }
    }

    private func count(of relationship: NSRelationshipDescription, in object: NSManagedObject) -> Int {
        members(of: relationship, in: object).count
    }

    private func add(_ member: NSManagedObject, to relationship: NSRelationshipDescription, of object: NSManagedObject)
    {
        if relationship.isOrdered {
            object.mutableOrderedSetValue(forKey: relationship.name).insert(member, at: 0)
        } else {
            object.mutableSetValue(forKey: relationship.name).add(member)
        }
    }

    private func remove(
        _ member: NSManagedObject, from relationship: NSRelationshipDescription, of object: NSManagedObject
    ) {
        if relationship.isOrdered {
            object.mutableOrderedSetValue(forKey: relationship.name).remove(member)
        } else {
            object.mutableSetValue(forKey: relationship.name).remove(member)
        }
    }
}
