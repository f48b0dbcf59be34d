import CoreData
import Foundation
import Testing

@Suite("References to and from objects whose deletion was saved and is undone")
struct UndoneReferenceTests {
    private static let rules: [NSDeleteRule] = [.denyDeleteRule, .nullifyDeleteRule, .noActionDeleteRule]

    /// Desks that one person sits at, and rooms with many.
    private static func model(_ rule: NSDeleteRule = .nullifyDeleteRule) -> NSManagedObjectModel {
        let (person, place) = (NSEntityDescription(), NSEntityDescription())
        (person.name, place.name) = ("Person", "Place")
        func pair(_ name: String, _ inverse: String, most: Int) -> (
            NSRelationshipDescription, NSRelationshipDescription
        ) {
            let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
            (there.name, there.maxCount, there.destinationEntity) = (name, 1, place)
            (back.name, back.maxCount, back.destinationEntity) = (inverse, most, person)
            (there.deleteRule, back.deleteRule) = (.nullifyDeleteRule, rule)
            (there.isOptional, back.isOptional) = (true, true)
            (there.inverseRelationship, back.inverseRelationship) = (back, there)
            return (there, back)
        }
        let (desk, room) = (pair("desk", "sitter", most: 1), pair("room", "people", most: 0))
        person.properties = [desk.0, room.0, MigrationLibrary.attribute("name", .stringAttributeType)]
        place.properties = [desk.1, room.1]
        let model = NSManagedObjectModel()
        model.entities = [person, place]
        return model
    }

    private func undoing(_ context: NSManagedObjectContext) -> UndoManager {
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        return manager
    }

    private func group(_ context: NSManagedObjectContext, _ body: () -> Void) {
        context.undoManager?.beginUndoGrouping()
        body()
        context.processPendingChanges()
        context.undoManager?.endUndoGrouping()
    }

    @Test(
        "a reference that led to an object deleted in an earlier event leads there again, whatever the rule",
        arguments: rules, ["desk", "room"])
    func redirected(rule: NSDeleteRule, key: String) throws {
        for isOneGroup in [true, false] {
            let stack = try TemporaryStack(model: Self.model(rule))
            let context = stack.context()
            let person = context.make("Person", ["name": "Ada"])
            let (old, new) = (context.make("Place"), context.make("Place"))
            person.setValue(old, forKey: key)
            try context.save()
            let manager = undoing(context)
            if isOneGroup {
                group(context) {
                    context.delete(old)
                    context.processPendingChanges()
                    person.setValue(new, forKey: key)
                }
            } else {
                group(context) { context.delete(old) }
                group(context) { person.setValue(new, forKey: key) }
            }
            try context.save()
            for _ in 0..<2 {
                manager.undo()
                if !isOneGroup { manager.undo() }
                #expect(person.value(forKey: key) as? NSManagedObject === old)
                #expect(!old.isDeleted && old.managedObjectContext === context)
                manager.redo()
                if !isOneGroup { manager.redo() }
                #expect(person.value(forKey: key) as? NSManagedObject === new)
            }
            manager.undo()
            if !isOneGroup { manager.undo() }
            try context.save()
            let reader = try stack.reopened()
            let saved = try #require(try reader.all("Person").first?.value(forKey: key) as? NSManagedObject)
            #expect(saved.objectID.uriRepresentation() == old.objectID.uriRepresentation())
            let inverse = saved.value(forKey: key == "desk" ? "sitter" : "people")
            #expect(inverse is NSManagedObject || (inverse as? Set<NSManagedObject>)?.count == 1)
        }
    }

    @Test(
        "an object that was new in a child keeps its references, however often its deletion is undone", arguments: 0...2
    )
    func newInChild(saves: Int) throws {
        for savesBetween in [false, true] {
            let stack = try TemporaryStack(model: Self.model())
            let root = stack.queueContext()
            let child = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            child.parent = root
            let (person, room) = (child.make("Person", ["name": "Ada"]), child.make("Place"))
            person.setValue(room, forKey: "room")
            try child.save()
            try root.performAndWait { try root.save() }
            let manager = undoing(child)
            group(child) { child.delete(person) }
            if saves > 0 { try child.save() }
            if saves > 1 { try root.performAndWait { try root.save() } }
            manager.undo()
            #expect(person.value(forKey: "room") as? NSManagedObject === room)
            if savesBetween { try child.save() }
            manager.redo()
            manager.undo()
            #expect(person.value(forKey: "room") as? NSManagedObject === room)
            try child.save()
            try root.performAndWait { try root.save() }
            let saved = try #require(try stack.reopened().all("Person").first)
            #expect(saved.value(forKey: "room") is NSManagedObject)
        }
    }

    @Test(
        "what an object brought back in a child leads to no more, it leads to nowhere in the store",
        arguments: [true, false])
    func formerMembers(isOwn: Bool) throws {
        let node = NSEntityDescription()
        node.name = "Node"
        let (next, last) = (NSRelationshipDescription(), NSRelationshipDescription())
        (next.name, last.name) = ("next", "last")
        for side in [next, last] {
            (side.destinationEntity, side.maxCount, side.isOptional, side.deleteRule) = (
                node, 0, true, .nullifyDeleteRule
            )
        }
        (next.inverseRelationship, last.inverseRelationship) = (last, next)
        node.properties = [next, last]
        let model = NSManagedObjectModel()
        model.entities = [node]
        let stack = try TemporaryStack(model: model)
        let root = stack.queueContext()
        let child = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        child.parent = root
        let (object, other) = (child.make("Node"), child.make("Node"))
        try child.save()
        try root.performAndWait { try root.save() }
        let manager = undoing(child)
        group(child) { object.mutableSetValue(forKey: "next").add(isOwn ? object : other) }
        try child.save()
        try root.performAndWait { try root.save() }
        group(child) { child.delete(object) }
        try child.save()
        manager.undo()
        manager.undo()
        try child.save()
        try root.performAndWait { try root.save() }
        for node in try stack.reopened().all("Node") {
            #expect((node.value(forKey: "next") as? Set<NSManagedObject>)?.isEmpty == true)
            #expect((node.value(forKey: "last") as? Set<NSManagedObject>)?.isEmpty == true)
        }
    }
}
