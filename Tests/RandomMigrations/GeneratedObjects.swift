import CoreData
import Foundation
import TestSupport

/// Objects of a generated model as plain values: what the store holds, and what it has to hold after a migration.
struct GeneratedObjects {
    struct Object {
        var entity: Int
        /// By number of the attribute; the text that stands for the value.
        var values: [Int: String] = [:]
    }

    /// By the value of `id`.
    var objects: [Int: Object] = [:]
    /// By number of the relationship: near and far objects, in order.
    var pairs: [Int: [[Int]]] = [:]

    init() {}

    init(_ model: GeneratedModel, _ generator: inout SeededGenerator) {
        var next = 0
        for entity in model.entities where !entity.isAbstract {
            for _ in 0..<Int.random(in: 0...9, using: &generator) {
                next += 1
                var object = Object(entity: entity.number)
                for attribute in model.attributes(entity.number) where attribute.name != "id" {
                    if !attribute.isOptional || Int.random(in: 0..<4, using: &generator) > 0 {
                        object.values[attribute.number] = "\(Int.random(in: 0...9999, using: &generator))"
                    }
                }
                objects[next] = object
            }
        }
        for relationship in model.relationships { addPairs(of: relationship, in: model, &generator) }
    }

    private mutating func addPairs(
        of relationship: GeneratedModel.Relationship, in model: GeneratedModel, _ generator: inout SeededGenerator
    ) {
        let near = objects.keys.sorted().filter { model.isKind(objects[$0]!.entity, of: relationship.near.entity) }
        let far = objects.keys.sorted().filter { model.isKind(objects[$0]!.entity, of: relationship.destination) }
        var pairs: [[Int]] = []
        // A to-many without inverse is kept in its destination, which then has one owner.
        let isFarSingle = relationship.far.map { !$0.isToMany } ?? relationship.near.isToMany
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            guard let one = near.randomElement(using: &generator), let other = far.randomElement(using: &generator)
            else { break }
            if pairs.contains([one, other]) { continue }
            if !relationship.near.isToMany, pairs.contains(where: { $0[0] == one }) { continue }
            if isFarSingle, pairs.contains(where: { $0[1] == other }) { continue }
            pairs.append([one, other])
        }
        self.pairs[relationship.number] = pairs
    }

    // MARK: In a store

    func save(_ model: GeneratedModel, in context: NSManagedObjectContext) throws {
        var made: [Int: NSManagedObject] = [:]
        for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
            let entity = model.entity(object.entity)!
            let new = NSEntityDescription.insertNewObject(forEntityName: entity.name, into: context)
            new.setValue(id, forKey: "id")
            for attribute in model.attributes(entity.number) where attribute.name != "id" {
                new.setValue(
                    object.values[attribute.number].map { GeneratedModel.value($0, attribute.type) },
                    forKey: attribute.name)
            }
            made[id] = new
        }
        for relationship in model.relationships {
            for (near, list) in Dictionary(grouping: pairs[relationship.number] ?? [], by: { $0[0] }) {
                let members = list.compactMap { made[$0[1]] }
                switch (relationship.near.isToMany, relationship.near.isOrdered) {
                case (true, true): made[near]?.setValue(NSOrderedSet(array: members), forKey: relationship.near.name)
                case (true, false): made[near]?.setValue(Set(members), forKey: relationship.near.name)
                default: made[near]?.setValue(members.first, forKey: relationship.near.name)
                }
            }
        }
        try context.save()
    }

    /// What the objects are after a migration, by the numbers of things alone.
    func migrated(from old: GeneratedModel, to new: GeneratedModel) -> GeneratedObjects {
        var result = GeneratedObjects()
        for (id, object) in objects {
            guard new.entity(object.entity) != nil else { continue }
            var changed = Object(entity: object.entity)
            let known = Set(old.attributes(object.entity).map(\.number))
            for attribute in new.attributes(object.entity) {
                if known.contains(attribute.number) {
                    changed.values[attribute.number] =
                        object.values[attribute.number] ?? (attribute.isOptional ? nil : attribute.initial)
                } else {
                    changed.values[attribute.number] = attribute.initial
                }
            }
            result.objects[id] = changed
        }
        for relationship in new.relationships {
            result.pairs[relationship.number] = (pairs[relationship.number] ?? []).filter { pair in
                guard let near = result.objects[pair[0]], let far = result.objects[pair[1]] else { return false }
                return new.isKind(near.entity, of: relationship.near.entity)
                    && new.isKind(far.entity, of: relationship.destination)
            }
        }
        return result
    }

    /// In what a store differs from these objects.
    func differences(
        _ model: GeneratedModel, in context: NSManagedObjectContext, orderedBefore: Set<Int>
    ) throws -> [String] {
        var differences: [String] = []
        var found: [Int: NSManagedObject] = [:]
        for entity in model.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
            request.includesSubentities = false
            for object in try context.fetch(request) {
                let id = object.value(forKey: "id") as? Int ?? -1
                found[id] = object
                if objects[id]?.entity != entity.number { differences.append("\(id) is a \(entity.name)") }
            }
        }
        if found.count != objects.count { differences.append("\(objects.count) objects became \(found.count)") }
        for (id, object) in objects {
            for attribute in model.attributes(object.entity) where attribute.name != "id" {
                let wanted = object.values[attribute.number].map { GeneratedModel.value($0, attribute.type) }
                let actual = found[id]?.value(forKey: attribute.name)
                if "\(wanted ?? "nil")" != "\(actual ?? "nil")" {
                    differences.append("\(id).\(attribute.name): \(wanted ?? "nil") became \(actual ?? "nil")")
                }
            }
        }
        for relationship in model.relationships {
            let wanted = pairs[relationship.number] ?? []
            var near: [[Int]] = []
            for (id, object) in objects where model.isKind(object.entity, of: relationship.near.entity) {
                let members = Self.ids(found[id]?.value(forKey: relationship.near.name))
                near += members.map { [id, $0] }
                let order = wanted.filter { $0[0] == id }.map { $0[1] }
                if relationship.near.isOrdered, orderedBefore.contains(relationship.number), members != order {
                    differences.append("\(id).\(relationship.near.name): \(order) became \(members)")
                }
            }
            if Set(near) != Set(wanted) { differences.append("\(relationship.near.name): \(wanted) became \(near)") }
            guard let far = relationship.far else { continue }
            var back: [[Int]] = []
            for (id, object) in objects where model.isKind(object.entity, of: far.entity) {
                back += Self.ids(found[id]?.value(forKey: far.name)).map { [$0, id] }
            }
            if Set(back) != Set(wanted) { differences.append("\(far.name): \(wanted) became \(back)") }
        }
        return differences
    }

    private static func ids(_ value: Any?) -> [Int] {
        let objects: [NSManagedObject] =
            switch value {
            case let object as NSManagedObject: [object]
            case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
            case let set as Set<NSManagedObject>: Array(set)
            default: []
            }
        return objects.map { $0.value(forKey: "id") as? Int ?? -1 }
    }
}
