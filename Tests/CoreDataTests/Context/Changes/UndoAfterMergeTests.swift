import CoreData
import Foundation
import Testing

/// Random programs over two contexts: one undoes and redoes what it has done, while the other's saves are merged under it.
@Suite("Undoing what others have saved over")
struct UndoAfterMergeTests {
    private static let seeds = ProgramSeeds.seeds(from: 400, usually: 60)

    @Test("leaves both sides of every relationship in agreement, and what is saved is what was shown", arguments: seeds)
    func program(seed: UInt64) throws {
        let office = try UndoneOffice(seed: seed)
        for _ in 0..<12 {
            let found = try office.turn()
            try #require(found == [], "seed \(seed), \(office.stack.storeType): \(found) after \(office.actions)")
        }
        let (shown, saved) = try office.end()
        #expect(shown == saved, "seed \(seed), \(office.stack.storeType): after \(office.actions)")
    }
}

private final class UndoneOffice {
    let stack: TemporaryStack
    private(set) var actions: [String] = []
    private let mine: NSManagedObjectContext
    private let other: NSManagedObjectContext
    private let savesOfMine: SaveLog
    private let savesOfOther: SaveLog
    private let undoManager = UndoManager()
    private var generator: SeededGenerator
    private var count = 0

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        stack = try TemporaryStack(
            model: Self.model(isOrdered: seed / 4 % 2 == 1), storeType: Library.storeTypes[Int(seed % 4)])
        mine = stack.context()
        other = stack.context()
        for context in [mine, other] { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        savesOfMine = SaveLog(mine)
        savesOfOther = SaveLog(other)
        undoManager.groupsByEvent = false
        mine.undoManager = undoManager
        for _ in 0..<12 { step(in: mine) }
        try mine.save()
        undoManager.removeAllActions()
        _ = savesOfMine.take()
    }

    /// Departments with people in them, badges of one each, and tags of many.
    private static func model(isOrdered: Bool) -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let label = NSAttributeDescription()
            label.name = "label"
            label.attributeType = .stringAttributeType
            label.isOptional = true
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = [label]
            return entity
        }
        func relate(
            _ owner: NSEntityDescription, _ name: String, _ most: Int, _ destination: NSEntityDescription,
            _ inverse: String, _ inverseMost: Int, isOrdered: Bool = false
        ) {
            let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
            (there.name, there.maxCount, there.destinationEntity) = (name, most, destination)
            (back.name, back.maxCount, back.destinationEntity) = (inverse, inverseMost, owner)
            there.isOrdered = isOrdered
            for side in [there, back] {
                side.isOptional = true
                side.deleteRule = .nullifyDeleteRule
            }
            there.inverseRelationship = back
            back.inverseRelationship = there
            owner.properties.append(there)
            destination.properties.append(back)
        }
        let (department, person, badge, tag) = (
            entity("Department"), entity("Person"), entity("Badge"), entity("Tag")
        )
        relate(department, "people", 0, person, "department", 1, isOrdered: isOrdered)
        relate(person, "badge", 1, badge, "owner", 1)
        relate(person, "tags", 0, tag, "people", 0)
        let model = NSManagedObjectModel()
        model.entities = [department, person, badge, tag]
        return model
    }

    func turn() throws -> [String] {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: step(in: mine)
        case 2: undo()
        case 3:
            for _ in 0..<Int.random(in: 1...4, using: &generator) { step(in: other) }
            try other.save()
            actions.append("other saves")
            grouped { for save in savesOfOther.take() { mine.mergeChanges(fromContextDidSave: save) } }
            undo()
        case 4 where undoManager.canRedo:
            undoManager.redo()
            actions.append("redo")
        default:
            step(in: mine)
            if Int.random(in: 0..<3, using: &generator) == 0 {
                try grouped { try mine.save() }
                actions.append("mine saves")
                for save in savesOfMine.take() { other.mergeChanges(fromContextDidSave: save) }
            }
        }
        grouped {}
        return mine.checkInvariants() + other.checkInvariants()
    }

    /// What a merge changes can be undone too, and needs a group.
    private func grouped(_ body: () throws -> Void) rethrows {
        undoManager.beginUndoGrouping()
        try body()
        mine.processPendingChanges()
        undoManager.endUndoGrouping()
    }

    private func undo() {
        guard undoManager.canUndo else { return }
        undoManager.undo()
        actions.append("undo")
    }

    /// What the first context shows and what its store has, once it has saved.
    func end() throws -> (shown: [String], saved: [String]) {
        try grouped { try mine.save() }
        for save in savesOfMine.take() { other.mergeChanges(fromContextDidSave: save) }
        let shown = try Self.contents(of: mine)
        let found = mine.checkInvariants() + other.checkInvariants()
        let reopened = try stack.reopened()
        return (shown + found, try Self.contents(of: reopened) + reopened.checkInvariants())
    }

    private static func contents(of context: NSManagedObjectContext) throws -> [String] {
        try ["Department", "Person", "Badge", "Tag"].flatMap { entity in
            try context.all(entity).map { object -> String in
                let parts = object.entity.relationshipsByName.keys.sorted().map { name -> String in
                    let labels: [String] =
                        switch object.value(forKey: name) {
                        case let set as NSOrderedSet: set.array.map(label)
                        case let set as NSSet: set.allObjects.map(label).sorted()
                        case let object?: [label(object)]
                        case nil: []
                        }
                    return "\(name): \(labels)"
                }
                return "\(entity) \(label(object)) \(parts)"
            }.sorted()
        }
    }

    private static func label(_ object: Any) -> String {
        (object as? NSManagedObject)?.value(forKey: "label") as? String ?? "nobody"
    }

    /// One thing that a user does, which can be undone by itself.
    private func step(in context: NSManagedObjectContext) {
        if context === mine { return grouped { change(in: context) } }
        change(in: context)
        context.processPendingChanges()
    }

    private func change(in context: NSManagedObjectContext) {
        let name = context === mine ? "mine" : "other"
        let departments = objects("Department", context)
        let people = objects("Person", context)
        func pick(_ objects: [NSManagedObject]) -> NSManagedObject? { objects.randomElement(using: &generator) }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: make("Department", context)
        case 1, 2:
            let person = make("Person", context)
            person.setValue(pick(departments), forKey: "department")
        case 3:
            guard let person = pick(people) else { return }
            make("Badge", context).setValue(person, forKey: "owner")
        case 4:
            guard let person = pick(people) else { return }
            let tag = pick(objects("Tag", context)) ?? make("Tag", context)
            // The person may be a fault until then.
            person.mutableSetValue(forKey: "tags").add(tag)
            actions.append("\(name) adds \(Self.label(tag)) to \(Self.label(person))")
        case 5:
            guard let person = pick(people), let tag = pick(objects("Tag", context)) else { return }
            person.mutableSetValue(forKey: "tags").remove(tag)
            actions.append("\(name) removes \(Self.label(tag)) from \(Self.label(person))")
        case 6:
            guard let object = pick(departments + people + objects("Badge", context)) else { return }
            actions.append("\(name) deletes \(Self.label(object))")
            context.delete(object)
        case 7:
            guard let person = pick(people), let badge = pick(objects("Badge", context)) else { return }
            actions.append("\(name) gives \(Self.label(badge)) to \(Self.label(person))")
            person.setValue(badge, forKey: "badge")
        default:
            guard let person = pick(people) else { return }
            let department = pick(departments)
            actions.append("\(name) moves \(Self.label(person)) to \(department.map(Self.label) ?? "nobody")")
            person.setValue(department, forKey: "department")
        }
    }

    /// In an order that is the same in each run.
    private func objects(_ entity: String, _ context: NSManagedObjectContext) -> [NSManagedObject] {
        // A fetch that fails is seen by what is missing then.
        let all = (try? context.all(entity)) ?? []
        return all.filter { !$0.isDeleted }.sorted { Self.label($0) < Self.label($1) }
    }

    @discardableResult
    private func make(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        count += 1
        let object = context.make(entity, ["label": "\(entity)\(count)"])
        actions.append("makes \(entity)\(count)")
        return object
    }
}
