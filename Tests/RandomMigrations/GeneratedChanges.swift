import CoreData
import TestSupport

/// Makes models, and changes that lightweight migration can follow.
struct GeneratedChanges {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func name(_ prefix: String, _ number: Int) -> String {
        // Names sort in another order than numbers, and differ in case.
        let letters = "bAqZmK"
        return "\(prefix)\(letters.randomElement(using: &generator)!)\(number)"
    }

    mutating func model() -> GeneratedModel {
        var model = GeneratedModel()
        for _ in 0..<Int.random(in: 2...5, using: &generator) {
            var parent: Int?
            if chance(45) { parent = model.entities.randomElement(using: &generator)?.number }
            addEntity(to: &model, below: parent)
        }
        for _ in 0..<Int.random(in: 1...5, using: &generator) { addRelationship(to: &model) }
        return model
    }

    private mutating func addEntity(to model: inout GeneratedModel, below parent: Int?) {
        let number = model.number()
        var entity = GeneratedModel.Entity(number: number, name: name("E", number), parent: parent)
        if parent == nil {
            entity.attributes = [.init(number: model.number(), name: "id", type: .integer64AttributeType)]
        }
        model.entities.append(entity)
        for _ in 0..<Int.random(in: 0...4, using: &generator) { addAttribute(to: &model, of: number) }
    }

    private mutating func addAttribute(to model: inout GeneratedModel, of entity: Int) {
        let number = model.number()
        var attribute = GeneratedModel.Attribute(
            number: number, name: name("a", number), type: GeneratedModel.types.randomElement(using: &generator)!)
        if chance(40) { attribute.initial = "\(Int.random(in: 1...999, using: &generator))" }
        if attribute.initial != nil, chance(50) { attribute.isOptional = false }
        guard let place = model.entities.firstIndex(where: { $0.number == entity }) else { return }
        model.entities[place].attributes.append(attribute)
    }

    private mutating func addRelationship(to model: inout GeneratedModel) {
        let number = model.number()
        let (near, far) = (
            model.entities.randomElement(using: &generator)!.number,
            model.entities.randomElement(using: &generator)!.number
        )
        var nearEnd = GeneratedModel.End(entity: near, name: name("r", number), isToMany: chance(60))
        nearEnd.isOrdered = nearEnd.isToMany && chance(25)
        var farEnd: GeneratedModel.End?
        if chance(80) {
            var end = GeneratedModel.End(entity: far, name: name("s", number), isToMany: chance(50))
            end.isOrdered = end.isToMany && chance(25)
            farEnd = end
        }
        model.relationships.append(.init(number: number, near: nearEnd, far: farEnd, destination: far))
    }

    // MARK: Changes

    mutating func change(_ model: GeneratedModel) -> GeneratedModel {
        var changed = model
        for _ in 0..<Int.random(in: 1...6, using: &generator) { changeOnce(&changed) }
        return changed
    }

    private mutating func changeOnce(_ model: inout GeneratedModel) {
        let place = Int.random(in: 0..<model.entities.count, using: &generator)
        switch Int.random(in: 0..<15, using: &generator) {
        case 0, 1: addAttribute(to: &model, of: model.entities[place].number)
        case 2: withAttribute(&model, place) { attributes, index, _ in attributes.remove(at: index) }
        case 3:
            withAttribute(&model, place) { attributes, index, maker in
                attributes[index].name = maker.name("x", attributes[index].number)
            }
        case 4:
            withAttribute(&model, place) { attributes, index, _ in
                if attributes[index].initial == nil { attributes[index].initial = "77" }
                attributes[index].isOptional.toggle()
            }
        case 5: model.entities[place].name = name("N", model.entities[place].number)
        case 6: addEntity(to: &model, below: chance(50) ? model.entities[place].number : nil)
        case 7: removeEntity(from: &model, place)
        case 8: addRelationship(to: &model)
        case 9:
            if let index = model.relationships.indices.randomElement(using: &generator) {
                model.relationships.remove(at: index)
            }
        case 10: changeEnd(&model)
        case 11: pullUp(&model, place)
        case 12: pushDown(&model, place)
        case 13: insertParent(&model, place)
        default:
            if let attribute = model.entities[place].attributes.randomElement(using: &generator) {
                model.entities[place].indexed = attribute.name
            }
        }
    }

    private mutating func withAttribute(
        _ model: inout GeneratedModel, _ place: Int,
        _ body: (inout [GeneratedModel.Attribute], Int, inout GeneratedChanges) -> Void
    ) {
        let indices = model.entities[place].attributes.indices.filter {
            model.entities[place].attributes[$0].name != "id"
        }
        guard let index = indices.randomElement(using: &generator) else { return }
        model.entities[place].indexed = nil
        body(&model.entities[place].attributes, index, &self)
    }

    private func removeEntity(from model: inout GeneratedModel, _ place: Int) {
        let number = model.entities[place].number
        guard model.entities.count > 1, model.children(number).isEmpty else { return }
        model.entities.remove(at: place)
        model.relationships.removeAll { $0.near.entity == number || $0.destination == number }
    }

    private mutating func changeEnd(_ model: inout GeneratedModel) {
        guard let index = model.relationships.indices.randomElement(using: &generator) else { return }
        let number = model.relationships[index].number
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: model.relationships[index].near.name = name("t", number)
        case 1:
            if model.relationships[index].far != nil { model.relationships[index].far?.name = name("u", number) }
        case 2:
            // Without an inverse, a destination can't belong to several owners.
            guard model.relationships[index].far != nil else { return }
            model.relationships[index].near.isToMany = true
        default:
            if model.relationships[index].near.isToMany { model.relationships[index].near.isOrdered.toggle() }
        }
    }

    private mutating func pullUp(_ model: inout GeneratedModel, _ place: Int) {
        guard let parent = model.entities[place].parent,
            let above = model.entities.firstIndex(where: { $0.number == parent }),
            let index = model.entities[place].attributes.indices.randomElement(using: &generator)
        else { return }
        model.entities[place].indexed = nil
        model.entities[above].attributes.append(model.entities[place].attributes.remove(at: index))
    }

    private mutating func pushDown(_ model: inout GeneratedModel, _ place: Int) {
        let children = model.children(model.entities[place].number)
        guard let child = children.randomElement(using: &generator),
            let below = model.entities.firstIndex(where: { $0.number == child.number }),
            let index = model.entities[place].attributes.firstIndex(where: { $0.name != "id" })
        else { return }
        model.entities[place].indexed = nil
        model.entities[below].attributes.append(model.entities[place].attributes.remove(at: index))
    }

    private mutating func insertParent(_ model: inout GeneratedModel, _ place: Int) {
        let number = model.number()
        var parent = GeneratedModel.Entity(
            number: number, name: name("P", number), parent: model.entities[place].parent)
        parent.isAbstract = chance(50)
        model.entities[place].parent = number
        model.entities.append(parent)
        if chance(50) { addAttribute(to: &model, of: number) }
    }
}
