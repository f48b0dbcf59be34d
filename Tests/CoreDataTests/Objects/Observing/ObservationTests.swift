@_spi(GeneratedCode) import CoreData
import Foundation
import Observation
import Synchronization
import Testing

@Suite("Objects as Observation sees them")
@MainActor
struct ObservationTests {
    /// What one tracked reading was told.
    private final class Watch: Sendable {
        private let count = Mutex(0)
        var isTold: Bool { count.withLock { $0 > 0 } }

        func follow(_ read: () -> Void) {
            withObservationTracking(read) { [self] in count.withLock { $0 += 1 } }
        }
    }

    private func watch(_ object: NSManagedObject, _ keys: String...) -> Watch {
        let watch = Watch()
        watch.follow { for key in keys { _ = object.value(forKey: key) } }
        return watch
    }

    /// Says which of an object's keys somebody is told about while something is done.
    private func told(_ object: NSManagedObject, _ body: () throws -> Void) rethrows -> Set<String> {
        let keys = object.entity.properties.map(\.name)
        let watches = keys.map { watch(object, $0) }
        try body()
        return Set(zip(keys, watches).filter(\.1.isTold).map(\.0))
    }

    private func savedThing(_ stack: ThingStack, _ values: [String: Any] = [:]) throws -> Thing {
        let thing = try stack.thing("A", values)
        try stack.context.save()
        return thing
    }

    // MARK: Reading and writing

    @Test("A change is told once, and only to those who have read the property")
    func change() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let (name, size, both) = (watch(thing, "name"), watch(thing, "size"), watch(thing, "name", "size"))
        thing.setValue("B", forKey: "name")
        #expect(name.isTold && both.isTold && !size.isTold)
        let again = watch(thing, "size")
        thing.setValue("C", forKey: "name")
        #expect(!again.isTold)
    }

    @Test("It is told before the value changes")
    func timing() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let seen = Mutex("")
        nonisolated(unsafe) let object = thing
        withObservationTracking {
            _ = thing.value(forKey: "name")
        } onChange: {
            let value = object.value(forKey: "name") as? String ?? ""
            seen.withLock { $0 = value }
        }
        thing.setValue("B", forKey: "name")
        #expect(seen.withLock { $0 } == "A")
    }

    @Test("Reads and writes by the accessors of generated classes count like those by key")
    func accessors() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack, ["code": "abc"])
        let (name, size, parent) = (
            ManagedPropertyKey("name"), ManagedPropertyKey("size"), ManagedPropertyKey("parent")
        )
        let other = try stack.thing("other")
        let (text, number, object, any) = (Watch(), Watch(), Watch(), Watch())
        text.follow { _ = thing.stringValue(for: name) }
        number.follow { _ = thing.integerValue(for: size) }
        object.follow { _ = thing.objectValue(for: parent) }
        any.follow { _ = thing.value(for: ManagedPropertyKey("code"), as: String.self) }
        thing.setStringValue("B", for: name)
        #expect(text.isTold && !number.isTold)
        thing.setIntegerValue(3, for: size)
        #expect(number.isTold && !object.isTold)
        thing.setObjectValue(other, for: parent)
        #expect(object.isTold && !any.isTold)
        thing.setGeneralValue("x", for: ManagedPropertyKey("code"))
        #expect(any.isTold)
    }

    @Test("Reading outside of withObservationTracking is followed by nobody, and on another thread neither")
    func untracked() async throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let watch = Watch()
        _ = thing.value(forKey: "name")
        watch.follow {}
        thing.setValue("B", forKey: "name")
        #expect(!watch.isTold)
    }

    @Test("A custom accessor is followed through its notifications, while primitive accessors tell nobody")
    func customAccessor() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let read = Watch()
        read.follow {
            thing.willAccessValue(forKey: "size")
            thing.didAccessValue(forKey: "size")
        }
        thing.setPrimitiveValue(3, forKey: "size")
        #expect(!read.isTold)
        thing.willChangeValue(forKey: "size")
        #expect(read.isTold)
        thing.setPrimitiveValue(4, forKey: "size")
        thing.didChangeValue(forKey: "size")
    }

    @Test("Transient and composite attributes are followed like others")
    func otherKinds() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        #expect(told(thing) { thing.setValue("hidden", forKey: "note") } == ["note"])
        #expect(told(thing) { thing.setValue(["city": "Rome"], forKey: "place") } == ["place"])
    }

    // MARK: Relationships

    @Test("A relationship is told on both sides, by whatever method it is changed")
    func relationships() throws {
        let stack = try ThingStack()
        let (parent, child) = (try savedThing(stack), try savedThing(stack))
        let (children, own) = (watch(parent, "children"), watch(child, "parent"))
        child.setValue(parent, forKey: "parent")
        #expect(children.isTold && own.isTold)
        #expect(told(child) { parent.mutableSetValue(forKey: "children").remove(child) } == ["parent"])
        #expect(told(parent) { parent.addMember(child, for: ManagedPropertyKey("children")) } == ["children"])
        let mark = stack.context.make("Mark")
        #expect(told(parent) { parent.mutableOrderedSetValue(forKey: "steps").add(mark) } == ["steps"])
        #expect(told(parent) { mark.setValue(nil, forKey: "stepOf") } == ["steps"])
    }

    @Test("Adding who is a member and removing who is none is told to nobody")
    func idleChanges() throws {
        let stack = try ThingStack()
        let (parent, child) = (try savedThing(stack), try savedThing(stack))
        child.setValue(parent, forKey: "parent")
        #expect(told(parent) { parent.mutableSetValue(forKey: "children").add(child) } == [])
        #expect(told(child) { parent.mutableSetValue(forKey: "children").remove(parent) } == [])
        #expect(told(child) { child.setValue(parent, forKey: "parent") } == [])
    }

    @Test("A live set that is read is followed")
    func liveSets() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let (set, ordered) = (Watch(), Watch())
        set.follow { _ = thing.mutableSetValue(forKey: "marks").count }
        ordered.follow { _ = thing.mutableOrderedSetValue(forKey: "steps").count }
        let mark = stack.context.make("Mark")
        mark.setValue(thing, forKey: "owner")
        #expect(set.isTold && !ordered.isTold)
        mark.setValue(thing, forKey: "stepOf")
        #expect(ordered.isTold)
    }

    @Test("A deletion is told to those who lose a member, and when it is saved, to those who follow the object")
    func deletion() throws {
        let stack = try ThingStack()
        let (parent, child) = (try savedThing(stack), try savedThing(stack))
        child.setValue(parent, forKey: "parent")
        try stack.context.save()
        let children = watch(parent, "children")
        stack.context.delete(child)
        stack.context.processPendingChanges()
        #expect(children.isTold)
        #expect(try told(child) { try stack.context.save() }.contains("name"))
    }

    // MARK: Changes at once

    @Test("A merge tells what another context has changed, and nothing else")
    func merge() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let other = NSManagedObjectContext(.mainQueue)
        other.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        other.object(with: thing.objectID).setValue("B", forKey: "name")
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        let notification = try #require(saved.last)
        let (name, size) = (watch(thing, "name"), watch(thing, "size"))
        stack.context.mergeChanges(fromContextDidSave: notification)
        #expect(name.isTold && !size.isTold)
        #expect(thing.value(forKey: "name") as? String == "B")
    }

    @Test("A merge into a changed object tells what the object takes on")
    func mergeUnderChanges() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let other = NSManagedObjectContext(.mainQueue)
        other.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        let theirs = other.object(with: thing.objectID)
        theirs.setValue("B", forKey: "name")
        theirs.setValue(5, forKey: "size")
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        thing.setValue("mine", forKey: "name")
        let notification = try #require(saved.last)
        let changed = told(thing) { stack.context.mergeChanges(fromContextDidSave: notification) }
        #expect(changed.contains("size") && changed.isDisjoint(with: ["name", "code", "note", "parent", "partner"]))
    }

    @Test("Undo, redo and rollback tell what they put back")
    func undo() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let manager = stack.undoing()
        stack.step { thing.setValue("B", forKey: "name") }
        #expect(told(thing) { manager.undo() } == ["name"])
        #expect(told(thing) { manager.redo() } == ["name"])
        #expect(told(thing) { stack.context.rollback() } == ["name"])
        #expect(thing.value(forKey: "name") as? String == "A")
    }

    @Test("An undone relationship is told on both sides")
    func undoneRelationship() throws {
        let stack = try ThingStack()
        let (parent, child) = (try savedThing(stack), try savedThing(stack))
        let manager = stack.undoing()
        stack.step { child.setValue(parent, forKey: "parent") }
        let (children, own) = (watch(parent, "children"), watch(child, "parent"))
        manager.undo()
        #expect(children.isTold && own.isTold)
    }

    @Test("Turning into a fault is told where values may be others afterwards")
    func refresh() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        thing.setValue("B", forKey: "name")
        #expect(told(thing) { stack.context.refresh(thing, mergeChanges: false) }.contains("name"))
        _ = thing.value(forKey: "name")
        #expect(!told(thing) { stack.context.refresh(thing, mergeChanges: true) }.contains("name"))
    }

    @Test("A reset is told to everyone who follows an object of the context")
    func reset() throws {
        let stack = try ThingStack()
        let (first, second) = (try savedThing(stack), try savedThing(stack))
        let watches = [watch(first, "name"), watch(second, "size")]
        stack.context.reset()
        #expect(watches.allSatisfy { $0.isTold })
    }

    @Test("What a child context saves is told in its parent")
    func childSave() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let child = stack.tree.child()
        child.object(with: thing.objectID).setValue("B", forKey: "name")
        #expect(try told(thing) { try child.save() } == ["name"])
    }

    @Test("A save by itself changes nothing and tells nobody")
    func save() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        thing.setValue("B", forKey: "name")
        #expect(try told(thing) { try stack.context.save() } == [])
    }

    @Test("A fault that is fired by a tracked read is no change")
    func firing() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let other = try stack.tree.stored()
        let fault = other.object(with: thing.objectID)
        let watch = watch(fault, "name", "children", "smaller")
        #expect(!watch.isTold)
    }

    // MARK: objectWillChange

    @Test("objectWillChange sends before any modelled property changes, and when it is sent by hand")
    func objectWillChange() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        let count = Mutex(0)
        let subscription = thing.objectWillChange.sink { count.withLock { $0 += 1 } }
        thing.setValue("B", forKey: "name")
        #expect(count.withLock { $0 } == 1)
        let observable = thing
        observable.objectWillChange.send()
        #expect(count.withLock { $0 } == 2)
        subscription.cancel()
        thing.setValue("C", forKey: "name")
        #expect(count.withLock { $0 } == 2)
    }

    @Test("objectWillChange takes a closure that isn't sendable and has a parameter, as Combine's does")
    func closures() throws {
        let stack = try ThingStack()
        let thing = try savedThing(stack)
        final class Log { var names: [String?] = [] }
        let log = Log()
        let subscription = thing.objectWillChange.sink { _ in
            log.names.append(thing.value(forKey: "name") as? String)
        }
        thing.setValue("B", forKey: "name")
        thing.setValue("C", forKey: "name")
        #expect(log.names == ["A", "B"])
        subscription.cancel()
    }

    @Test("An object that was followed is let go like any other")
    func memory() async throws {
        let stack = try ThingStack()
        var thing: Thing? = try savedThing(stack)
        weak let gone = thing
        let id = try #require(thing?.objectID)
        _ = watch(try #require(thing), "name")
        thing = nil
        // The context keeps what it has saved until the turn of the main queue ends.
        for _ in 0..<500 where gone != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(gone == nil)
        #expect(stack.context.object(with: id).value(forKey: "name") as? String == "A")
    }
}
