import CoreData
import Foundation
import Testing

@Suite("An object's life: what is called, when, and how often")
@MainActor
struct LifeCycleTests {
    @Test("awakeFromInsert runs before the initialiser returns, with the defaults set, and leaves nothing to undo")
    func insertion() throws {
        let stack = try ThingStack()
        let manager = stack.undoing()
        stack.step { stack.context.make("Thing") }
        let thing = try #require(stack.context.insertedObjects.first as? Thing)
        #expect(thing.takeLog() == ["awakeFromInsert"])
        #expect(thing.value(forKey: "size") as? Int == 11)
        stack.context.undo()
        #expect(thing.managedObjectContext == nil)
        stack.context.redo()
        #expect(thing.managedObjectContext === stack.context)
        #expect(!thing.takeLog().contains("awakeFromInsert"))
        #expect(manager.canUndo)
    }

    @Test("A fetch in awakeFromInsert finds what is unsaved, and tells nobody of objects that are half made")
    func fetchInInsertion() throws {
        let stack = try ThingStack()
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Thing", in: stack.context))
        let first = try stack.thing("first")
        let second = Thing(entity: entity, insertInto: nil)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        let changes = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        var found: [NSManagedObject] = []
        second.actions["awakeFromInsert"] = { _ in found = (try? stack.context.fetch(request)) ?? [] }
        stack.context.insert(second)
        #expect(Set(found) == [first, second] && changes.last == nil)
        second.setValue("second", forKey: "name")
        #expect(try stack.context.fetch(request).count == 2)
        #expect(changes.objects(.insertedObjects) == [first, second])
    }

    @Test("An object made without a context belongs to none until it is inserted; inserting it twice does no harm")
    func laterInsertion() throws {
        let stack = try ThingStack()
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Thing", in: stack.context))
        let thing = Thing(entity: entity, insertInto: nil)
        #expect(thing.managedObjectContext == nil)
        #expect(thing.log.isEmpty)
        stack.context.insert(thing)
        stack.context.insert(thing)
        #expect(thing.takeLog() == ["awakeFromInsert"])
        #expect(stack.context.insertedObjects == [thing])
    }

    @Test("awakeFromFetch runs when the fault is fired, and what it sets is no change")
    func fetching() throws {
        let stack = try ThingStack()
        let thing = try stack.fault(stack.thing())
        thing.actions["awakeFromFetch"] = { $0.setValue("noted", forKey: "note") }
        #expect(thing.isFault)
        _ = thing.value(forKey: "name")
        #expect(thing.takeLog() == ["awakeFromFetch"])
        #expect(thing.value(forKey: "note") as? String == "noted")
        #expect(!stack.context.hasChanges)
    }

    @Test("willTurnIntoFault can read the values, didTurnIntoFault comes after they have gone")
    func turningIntoFault() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        thing.log = []
        thing.actions["didTurnIntoFault"] = { $0.log.append("isFault \($0.isFault)") }
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.takeLog() == ["willTurnIntoFault A", "didTurnIntoFault", "isFault true"])
    }

    @Test(
        "A relationship that is set while an object becomes a fault is discarded at both ends",
        arguments: ["willTurnIntoFault A", "didTurnIntoFault"], ["partner", "parent", "liked", "steps"])
    func relationshipsSetInTransition(call: String, key: String) throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        let inverse = try #require(thing.entity.relationshipsByName[key]?.inverseRelationship)
        let other = key == "steps" ? stack.context.make("Mark") : try stack.thing("B")
        try stack.context.save()
        _ = thing.value(forKey: "name")
        thing.actions[call] = { thing in
            let isToMany = thing.entity.relationshipsByName[key]?.isToMany ?? false
            let members: Any = key == "steps" ? NSOrderedSet(object: other) : NSSet(object: other)
            thing.setValue(isToMany ? members : other, forKey: key)
        }
        stack.context.refresh(thing, mergeChanges: false)
        thing.actions = [:]
        #expect(thing.isFault)
        func isEmpty(_ object: NSManagedObject, _ key: String) -> Bool {
            object.primitiveValue(forKey: key) == nil || object.objectIDs(forRelationshipNamed: key).isEmpty
        }
        #expect(isEmpty(other, inverse.name))
        #expect(isEmpty(thing, key))
        #expect(thing.value(forKey: "name") as? String == "A")
        try stack.context.save()
        let stored = try stack.tree.stored()
        for (entity, key) in [("Thing", key), (key == "steps" ? "Mark" : "Thing", inverse.name)] {
            for object in try stored.all(entity) { #expect(isEmpty(object, key)) }
        }
    }

    @Test("What says who an object is doesn't fire its fault")
    func safeOnFaults() throws {
        let stack = try ThingStack()
        let thing = try stack.fault(stack.thing())
        _ = (thing.objectID, thing.entity, thing.managedObjectContext, thing.hash, thing.description)
        _ = (thing.isInserted, thing.isUpdated, thing.isDeleted, thing.hasChanges, thing.isEqual(thing))
        #expect(thing.hasFault(forRelationshipNamed: "children"))
        #expect(thing.isFault)
        #expect(thing.faultingState != 0)
        thing.willAccessValue(forKey: nil)
        #expect(!thing.isFault)
        #expect(thing.faultingState == 0)
    }

    @Test("prepareForDeletion runs once, with the relationships still there")
    func deletion() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        try stack.thing("child").setValue(thing, forKey: "parent")
        thing.log = []
        stack.context.delete(thing)
        stack.context.delete(thing)
        stack.context.processPendingChanges()
        #expect(thing.takeLog() == ["prepareForDeletion 1"])
    }

    @Test("The object counts as deleted while prepareForDeletion runs, so one deletes an owner that has no other left")
    func deletionOfOwner() throws {
        let stack = try ThingStack()
        let owner = try stack.thing("owner")
        let members = try ["a", "b"].map { try stack.thing($0) }
        for member in members {
            member.setValue(owner, forKey: "parent")
            member.actions["prepareForDeletion 0"] = { member in
                guard let owner = member.value(forKey: "parent") as? NSManagedObject else { return }
                if owner.members("children").allSatisfy(\.isDeleted) { member.managedObjectContext?.delete(owner) }
            }
        }
        try stack.context.save()
        stack.context.delete(members[0])
        #expect(members[0].isDeleted && !owner.isDeleted)
        stack.context.delete(members[1])
        #expect(owner.isDeleted)
        try stack.context.save()
        #expect(try stack.context.count(for: NSFetchRequest<Thing>(entityName: "Thing")) == 0)
    }

    @Test("A save calls willSave, validates and calls didSave, for each kind of change")
    func saving() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        thing.log = []
        try stack.context.save()
        #expect(thing.takeLog() == ["willSave", "validateForInsert", "didSave"])
        thing.setValue("B", forKey: "name")
        try stack.context.save()
        #expect(thing.takeLog() == ["willSave", "validateForUpdate", "didSave"])
        stack.context.delete(thing)
        thing.log = []
        try stack.context.save()
        #expect(thing.takeLog() == ["willSave", "validateForDelete", "didSave deleted"])
    }

    @Test("willSave may change its object and others; it is called until nobody changes anything, and all is saved")
    func changingInWillSave() throws {
        let stack = try ThingStack()
        let (first, second) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        (first.log, second.log) = ([], [])
        first.actions["willSave"] = { _ in
            if second.value(forKey: "size") as? Int == 11 { second.setValue(50, forKey: "size") }
        }
        let changes = PostedNotifications(NSManagedObjectContext.didChangeObjectsNotification, from: stack.context)
        first.setValue("C", forKey: "name")
        try stack.context.save()
        #expect(first.takeLog().filter { $0 == "willSave" } == ["willSave"])
        #expect(second.takeLog().filter { $0 == "willSave" } == ["willSave"])
        #expect(changes.objects(.updatedObjects) == [first, second])
        #expect(try stack.tree.stored().all("Thing", "size == 50").count == 1)
    }

    @Test("A primitive change in willSave is saved, and doesn't call it again")
    func primitiveInWillSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        thing.log = []
        thing.actions["willSave"] = { $0.setPrimitiveValue(77, forKey: "size") }
        try stack.context.save()
        #expect(thing.takeLog().filter { $0 == "willSave" }.count == 1)
        #expect(try stack.tree.stored().all("Thing", "size == 77").count == 1)
    }

    @Test("A willSave that never stops changing its object ends with an error")
    func endlessWillSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        thing.actions["willSave"] = { $0.setValue(($0.value(forKey: "size") as? Int ?? 0) + 1, forKey: "size") }
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.localizedDescription.contains("willSave") == true)
        #expect(stack.context.hasChanges)
    }

    @Test("A change in didSave leaves the context dirty")
    func changingInDidSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        thing.actions["didSave"] = { $0.setValue("later", forKey: "name") }
        try stack.context.save()
        #expect(stack.context.hasChanges)
        #expect(thing.changedValues()["name"] as? String == "later")
    }

    @Test("awake(fromSnapshotEvents:) says why values were set at once")
    func snapshotEvents() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        _ = stack.undoing()
        func events() -> [String] { thing.takeLog().filter { $0.hasPrefix("awake ") } }
        stack.step { thing.setValue("B", forKey: "name") }
        stack.context.undo()
        #expect(events() == ["awake \(NSSnapshotEventType.undoUpdate.rawValue)"])
        stack.step { stack.context.delete(thing) }
        stack.context.undo()
        #expect(events() == ["awake \(NSSnapshotEventType.undoDeletion.rawValue)"])
        thing.setValue("C", forKey: "name")
        stack.context.refresh(thing, mergeChanges: true)
        #expect(events() == ["awake \(NSSnapshotEventType.refresh.rawValue)"])
        stack.context.rollback()
        #expect(events() == ["awake \(NSSnapshotEventType.rollback.rawValue)"])
    }

    @Test("An object whose row has gone becomes a deleted one without values, and is neither validated nor saved")
    func inaccessibleFault() throws {
        let stack = try ThingStack()
        let thing = try stack.fault(stack.thing("A"))
        let other = stack.tree.stack.context()
        other.performAndWait { other.delete(other.object(with: thing.objectID)) }
        try other.performAndWait { try other.save() }
        #expect(thing.value(forKey: "name") == nil)
        #expect(thing.isDeleted)
        try stack.context.save()
        #expect(!thing.takeLog().contains("validateForDelete"))
        #expect(throws: NSError.self) { try stack.context.existingObject(with: thing.objectID) }
    }
}
