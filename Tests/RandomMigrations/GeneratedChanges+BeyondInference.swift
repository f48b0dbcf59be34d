import CoreData
import ManagedObjectModel
import TestSupport

extension GeneratedChanges {
    /// A change that lightweight migration can't follow, beside some that it can, with what the error has to name; nil
    /// where the model has nothing to change so.
    mutating func changeBeyondInference(_ model: GeneratedModel) -> (model: GeneratedModel, reason: String)? {
        var changed = model
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            // Only what leaves everything where it is.
            guard let place = changed.entities.indices.randomElement(using: &generator) else { break }
            let number = changed.number()
            changed.entities[place].attributes.append(
                .init(number: number, name: "added\(number)", type: .stringAttributeType))
        }
        let place = Int.random(in: 0..<changed.entities.count, using: &generator)
        let name = changed.entities[place].name
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return changeType(changed, place)
        case 1:
            let number = changed.number()
            changed.entities[place].attributes.append(
                .init(number: number, name: "needed\(number)", type: .dateAttributeType, isOptional: false))
            return (changed, "\(name).needed\(number): the property is new (no lightweight migration: it is required")
        case 2: return requireValue(changed, place)
        case 3: return narrow(changed)
        default: return join(changed, place)
        }
    }

    private mutating func changeType(
        _ model: GeneratedModel, _ place: Int
    ) -> (model: GeneratedModel, reason: String)? {
        var changed = model
        let candidates = changed.entities[place].attributes.indices.filter {
            let attribute = changed.entities[place].attributes[$0]
            return attribute.name != "id" && !attribute.name.hasPrefix("added")
        }
        guard let index = candidates.randomElement(using: &generator) else { return nil }
        let attribute = changed.entities[place].attributes[index]
        let others = GeneratedModel.types.filter { $0 != attribute.type && !attribute.type.widens(to: $0) }
        guard let type = others.randomElement(using: &generator) else { return nil }
        changed.entities[place].attributes[index].type = type
        return (changed, "\(changed.entities[place].name).\(attribute.name): its type was")
    }

    private func requireValue(_ model: GeneratedModel, _ place: Int) -> (model: GeneratedModel, reason: String)? {
        var changed = model
        let index = changed.entities[place].attributes.firstIndex {
            $0.isOptional && $0.initial == nil && $0.name != "id" && !$0.name.hasPrefix("added")
        }
        guard let index else { return nil }
        changed.entities[place].attributes[index].isOptional = false
        let name = changed.entities[place].attributes[index].name
        return (changed, "\(changed.entities[place].name).\(name): it became required")
    }

    private mutating func narrow(_ model: GeneratedModel) -> (model: GeneratedModel, reason: String)? {
        var changed = model
        let candidates = changed.relationships.indices.filter { changed.relationships[$0].near.isToMany }
        guard let index = candidates.randomElement(using: &generator) else { return nil }
        changed.relationships[index].near.isToMany = false
        changed.relationships[index].near.isOrdered = false
        let end = changed.relationships[index].near
        guard let entity = changed.entity(end.entity) else { return nil }
        return (changed, "\(entity.name).\(end.name): it was to-many and is to-one")
    }

    /// Puts the root of one hierarchy below an entity of another.
    private mutating func join(_ model: GeneratedModel, _ place: Int) -> (model: GeneratedModel, reason: String)? {
        var changed = model
        let number = changed.entities[place].number
        guard changed.entities[place].parent == nil else { return nil }
        let others = changed.entities.filter { changed.root($0.number) != number }
        guard let other = others.randomElement(using: &generator) else { return nil }
        changed.entities[place].parent = other.number
        changed.entities[place].attributes.removeAll { $0.name == "id" }
        return (changed, "entities without a common ancestor cannot get one")
    }
}
