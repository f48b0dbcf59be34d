import CoreData
import Foundation
import Testing

@Suite("Managed objects tell key-value observers of every change")
struct KeyValueObservingTests {
    private final class Watcher: NSObject, KeyValueObserver {
        struct Call {
            let keyPath: String?
            let kind: NSKeyValueChange?
            let old: Any?
            let new: Any?
            let indexes: IndexSet?
            let isPrior: Bool
        }
        var calls: [Call] = []

        func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            calls.append(
                Call(
                    keyPath: keyPath, kind: (change?[.kindKey] as? UInt).flatMap(NSKeyValueChange.init),
                    old: change?[.oldKey], new: change?[.newKey], indexes: change?[.indexesKey] as? IndexSet,
                    isPrior: change?[.notificationIsPriorKey] as? Bool ?? false))
        }
    }

    private let stack: TemporaryStack
    private let context: NSManagedObjectContext
    private let book: NSManagedObject
    private let watcher = Watcher()

    init() throws {
        stack = try TemporaryStack()
        context = stack.context()
        book = context.makeBook("One")
        try context.save()
    }

    private func watch(_ keyPath: String, _ options: NSKeyValueObservingOptions = [.old, .new]) {
        book.addObserver(watcher, forKeyPath: keyPath, options: options, context: nil)
    }

    @Test("A value that is set by key is told with the old and the new one")
    func values() {
        watch("title")
        book.setValue("Two", forKey: "title")
        #expect(watcher.calls.count == 1)
        #expect(watcher.calls[0].old as? String == "One")
        #expect(watcher.calls[0].new as? String == "Two")
        #expect(watcher.calls[0].kind == .setting)
    }

    @Test("The options initial and prior are kept to")
    func options() {
        watch("title", [.initial, .new, .prior])
        #expect(watcher.calls.map { $0.new as? String } == ["One"])
        book.setValue("Two", forKey: "title")
        #expect(watcher.calls.map(\.isPrior) == [false, true, false])
        #expect(watcher.calls.last?.new as? String == "Two")
    }

    @Test("A primitive value between willChange and didChange is told once")
    func primitiveValues() {
        watch("title")
        book.setPrimitiveValue("Nobody hears", forKey: "title")
        #expect(watcher.calls.isEmpty)
        book.willChangeValue(forKey: "title")
        book.setPrimitiveValue("Two", forKey: "title")
        book.didChangeValue(forKey: "title")
        #expect(watcher.calls.count == 1)
        #expect(watcher.calls[0].new as? String == "Two")
    }

    @Test("An observer that was removed hears nothing")
    func removedObservers() {
        watch("title")
        book.removeObserver(watcher, forKeyPath: "title")
        book.setValue("Two", forKey: "title")
        #expect(watcher.calls.isEmpty)
    }

    @Test("Members of a set that come and go are told as insertions and removals, a set as a setting")
    func unorderedMembers() throws {
        let name = try #require(book.entity.relationshipsByName.values.first { $0.isToMany && !$0.isOrdered }?.name)
        let entity = try #require(book.entity.relationshipsByName[name]?.destinationEntity)
        let others = (0..<2).map { _ in NSManagedObject(entity: entity, insertInto: context) }
        watch(name)
        book.mutableSetValue(forKey: name).add(others[0])
        #expect(watcher.calls.last?.kind == .insertion)
        #expect(watcher.calls.last?.new as? Set<NSManagedObject> == [others[0]])
        #expect(watcher.calls.last?.old == nil)
        book.mutableSetValue(forKey: name).remove(others[0])
        #expect(watcher.calls.last?.kind == .removal)
        #expect(watcher.calls.last?.old as? Set<NSManagedObject> == [others[0]])
        let count = watcher.calls.count
        book.setValue(Set(others), forKey: name)
        #expect(watcher.calls.count == count + 1)
        #expect(watcher.calls.last?.kind == .setting)
        #expect(watcher.calls.last?.new as? Set<NSManagedObject> == Set(others))
    }

    @Test("A change of a set that the program announces is told by its kind, with what came and went")
    func announcedMembers() throws {
        let name = try #require(book.entity.relationshipsByName.values.first { $0.isToMany && !$0.isOrdered }?.name)
        let entity = try #require(book.entity.relationshipsByName[name]?.destinationEntity)
        let (first, second) = (
            NSManagedObject(entity: entity, insertInto: context), NSManagedObject(entity: entity, insertInto: context)
        )
        func change(_ kind: NSKeyValueSetMutationKind, _ members: Set<NSManagedObject>) {
            book.willChangeValue(forKey: name, withSetMutation: kind, using: members)
            let primitive = book.primitiveValue(forKey: name) as? NSMutableSet
            switch kind {
            case .union: primitive?.union(members)
            case .minus: primitive?.minus(members)
            case .intersect: primitive?.intersect(members)
            case .set: primitive?.setSet(members)
            }
            book.didChangeValue(forKey: name, withSetMutation: kind, using: members)
        }
        watch(name)
        change(.union, [first])
        change(.set, [second])
        change(.minus, [second])
        #expect(watcher.calls.map(\.kind) == [.insertion, .replacement, .removal])
        #expect(watcher.calls.map { $0.new as? Set<NSManagedObject> } == [[first], [second], nil])
        #expect(watcher.calls.map { $0.old as? Set<NSManagedObject> } == [nil, [first], [second]])
    }

    @Test("Members of an ordered relationship are told with their places")
    func orderedMembers() throws {
        let child = NSEntityDescription()
        child.name = "Child"
        let parent = NSEntityDescription()
        parent.name = "Parent"
        let children = NSRelationshipDescription()
        children.name = "children"
        children.destinationEntity = child
        children.isOrdered = true
        children.maxCount = 0
        parent.properties = [children]
        let model = NSManagedObjectModel()
        model.entities = [parent, child]
        let stack = try TemporaryStack(model: model, storeType: NSInMemoryStoreType)
        let context = stack.context()
        let object = NSManagedObject(entity: parent, insertInto: context)
        let members = (0..<3).map { _ in NSManagedObject(entity: child, insertInto: context) }
        object.setValue(NSOrderedSet(array: [members[0], members[1]]), forKey: "children")
        object.addObserver(watcher, forKeyPath: "children", options: [.old, .new], context: nil)
        object.mutableOrderedSetValue(forKey: "children").insert(members[2], at: 1)
        #expect(watcher.calls.last?.kind == .insertion)
        #expect(watcher.calls.last?.indexes == IndexSet(integer: 1))
        #expect(watcher.calls.last?.new as? [NSManagedObject] == [members[2]])
        object.mutableOrderedSetValue(forKey: "children").remove(members[0])
        #expect(watcher.calls.last?.kind == .removal)
        #expect(watcher.calls.last?.indexes == IndexSet(integer: 0))
        object.mutableOrderedSetValue(forKey: "children").replaceObject(at: 1, with: members[0])
        #expect(watcher.calls.last?.kind == .replacement)
        #expect(watcher.calls.last?.indexes == IndexSet(integer: 1))
        #expect(watcher.calls.last?.old as? [NSManagedObject] == [members[1]])
        #expect(watcher.calls.last?.new as? [NSManagedObject] == [members[0]])
        #expect(watcher.calls.count == 3)
    }

    @Test("Merges of what others saved are told, by hand and automatic ones, of values and of members")
    func merges() throws {
        let other = stack.context()
        let theirs = try other.existingObject(with: book.objectID)
        watch("title")
        watch("author")
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { [context] in context.mergeChanges(fromContextDidSave: $0) }
        defer { NotificationCenter.default.removeObserver(token) }
        theirs.setValue("Theirs", forKey: "title")
        let author = other.make("Author", ["name": "A"])
        theirs.setValue(author, forKey: "author")
        try other.save()
        #expect(watcher.calls.filter { $0.keyPath == "title" }.last?.new as? String == "Theirs")
        #expect(watcher.calls.filter { $0.keyPath == "title" }.last?.old as? String == "One")
        let mine = try context.existingObject(with: author.objectID)
        #expect(watcher.calls.filter { $0.keyPath == "author" }.last?.new as? NSManagedObject === mine)

        // A to-many that was read.
        #expect(mine.members("books") == [book])
        mine.addObserver(watcher, forKeyPath: "books", options: [.old, .new], context: nil)
        theirs.setValue(nil, forKey: "author")
        try other.save()
        #expect(mine.members("books").isEmpty)
        #expect(watcher.calls.last { $0.keyPath == "books" } != nil)
        mine.removeObserver(watcher, forKeyPath: "books")
    }

    @Test("An automatic merge is told")
    func automaticMerge() throws {
        let shown = stack.queueContext()
        shown.automaticallyMergesChangesFromParent = true
        let writer = stack.context()
        let theirs = try writer.existingObject(with: book.objectID)
        nonisolated(unsafe) let watcher = watcher
        nonisolated(unsafe) var mine: NSManagedObject?
        try shown.performAndWait {
            mine = try shown.existingObject(with: book.objectID)
            mine?.addObserver(watcher, forKeyPath: "title", options: [.old, .new], context: nil)
        }
        theirs.setValue("Theirs", forKey: "title")
        try writer.save()
        shown.performAndWait {
            #expect(watcher.calls.last?.new as? String == "Theirs")
            mine?.removeObserver(watcher, forKeyPath: "title")
            mine = nil
        }
    }

    @Test("Redo and rollback are told")
    func redoAndRollback() throws {
        context.undoManager = UndoManager()
        watch("title")
        book.setValue("Mine", forKey: "title")
        context.processPendingChanges()
        context.undo()
        #expect(watcher.calls.last?.new as? String == "One")
        context.redo()
        #expect(watcher.calls.last?.new as? String == "Mine")
        context.rollback()
        #expect(watcher.calls.last?.new as? String == "One")
        #expect(watcher.calls.last?.old as? String == "Mine")
    }

    @Test("Refreshes and undo are told")
    func changesFromElsewhere() throws {
        watch("title")
        let other = stack.context()
        try other.existingObject(with: book.objectID).setValue("Theirs", forKey: "title")
        try other.save()
        context.refresh(book, mergeChanges: true)
        #expect(watcher.calls.last?.new as? String == "Theirs")
        context.undoManager = UndoManager()
        book.setValue("Mine", forKey: "title")
        context.undo()
        #expect(watcher.calls.last?.new as? String == "Theirs")
        #expect(watcher.calls.last?.old as? String == "Mine")
    }

    private final class Labelled: NSManagedObject {
        override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
            key == "label" ? ["title"] : super.keyPathsForValuesAffectingValue(forKey: key)
        }
        override func value(forKey key: String) -> Any? {
            key == "label" ? "<\(super.value(forKey: "title") as? String ?? "")>" : super.value(forKey: key)
        }
    }

    @Test("A key that depends on others is told when one of these changes")
    func dependentKeys() throws {
        let title = NSAttributeDescription()
        title.name = "title"
        title.type = .string
        let entity = NSEntityDescription()
        entity.name = "Labelled"
        entity.managedObjectClassName = NSStringFromClass(NSManagedObject.self)
        entity.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TemporaryStack(model: model, storeType: NSInMemoryStoreType)
        let context = stack.context()
        let object = Labelled(entity: entity, insertInto: context)
        object.addObserver(watcher, forKeyPath: "label", options: [.new], context: nil)
        object.setValue("x", forKey: "title")
        #expect(watcher.calls.map { $0.new as? String } == ["<x>"])
    }

    private final class Zeroed: NSManagedObject {
        override func setNilValueForKey(_ key: String) { setPrimitiveValue(0, forKey: key) }
    }

    @Test("nil for a number asks setNilValueForKey(_:)")
    func nilForNumbers() throws {
        let number = NSAttributeDescription()
        number.name = "number"
        number.type = .integer16
        number.isOptional = true
        let entity = NSEntityDescription()
        entity.name = "Zeroed"
        entity.properties = [number]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TemporaryStack(model: model, storeType: NSInMemoryStoreType)
        let object = Zeroed(entity: entity, insertInto: stack.context())
        object.setValue(nil, forKey: "number")
        #expect(object.value(forKey: "number") as? Int == 0)
        let plain = NSManagedObject(entity: entity, insertInto: stack.context())
        plain.setValue(3, forKey: "number")
        plain.setValue(nil, forKey: "number")
        #expect(plain.value(forKey: "number") == nil)
    }
}
