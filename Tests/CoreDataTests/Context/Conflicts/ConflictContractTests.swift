import CoreData
import Foundation
import Testing

@Suite("Conflicts and merge policies, line by line")
@MainActor
struct ConflictContractTests {
    /// A book that a context has read and changed (title, pages), and another one of the same coordinator or of another has
    /// changed as well (title, copies). The other context has gone when that is returned, and its row with it.
    private func conflict(elsewhere: Bool) throws -> (ContextTree, NSManagedObject) {
        let tree = try ContextTree()
        let book = tree.root.makeBook("base", ["pages": 1, "copies": 1])
        try tree.root.save()
        let other = elsewhere ? try tree.stored() : tree.sibling()
        let theirs = try #require(try other.all("Book").first)
        theirs.setValue("theirs", forKey: "title")
        theirs.setValue(2, forKey: "copies")
        try other.save()
        book.setValue("mine", forKey: "title")
        book.setValue(3, forKey: "pages")
        return (tree, book)
    }

    private func stored(_ tree: ContextTree) throws -> [String] {
        let book = try #require(try tree.stored().all("Book").first)
        return ["title", "pages", "copies"].map { "\(book.value(forKey: $0) ?? "nil")" }
    }

    @Test(
        "What each policy leaves, against another context and against another coordinator",
        arguments: [
            (NSMergePolicy.mergeByPropertyObjectTrump, ["mine", "3", "2"]),
            (.mergeByPropertyStoreTrump, ["theirs", "3", "2"]), (.overwrite, ["mine", "3", "1"]),
            (.rollback, ["theirs", "1", "2"]),
        ])
    func policies(policy: NSMergePolicy, left: [String]) throws {
        for elsewhere in [false, true] {
            let (tree, book) = try conflict(elsewhere: elsewhere)
            tree.root.mergePolicy = policy
            try tree.root.save()
            #expect(try stored(tree) == left)
            #expect(["title", "pages", "copies"].map { "\(book.value(forKey: $0) ?? "nil")" } == left)
            #expect(!tree.root.hasChanges)
        }
    }

    @Test("A conflict with the coordinator has cached and no persisted values; one with the store has both")
    func snapshots() throws {
        for elsewhere in [false, true] {
            let (tree, book) = try conflict(elsewhere: elsewhere)
            let error = #expect(throws: NSError.self) { try tree.root.save() }
            #expect(error?.code == NSManagedObjectMergeError)
            #expect(NSPersistentStoreSaveConflictsErrorKey == "conflictList")
            let conflicts = error?.userInfo["conflictList"] as? [NSMergeConflict]
            let conflict = try #require(conflicts?.first)
            #expect(conflict.sourceObject === book)
            #expect(conflict.objectSnapshot?["title"] as? String == "base")
            #expect(conflict.sourceObject.changedValues()["title"] as? String == "mine")
            #expect(conflict.cachedSnapshot?["title"] as? String == (elsewhere ? "base" : "theirs"))
            #expect(conflict.persistedSnapshot?["title"] as? String == (elsewhere ? "theirs" : nil))
            #expect(conflict.newVersionNumber == conflict.oldVersionNumber + 1)
            let text = error?.localizedDescription ?? ""
            for word in ["base", "mine", "theirs"] { #expect(text.contains(word), "\(text)") }
        }
    }

    @Test("An object that was deleted in the store has a new version of 0, and no persisted values")
    func deletedElsewhere() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("base")
        try tree.root.save()
        let other = try tree.stored()
        for book in try other.all("Book") { other.delete(book) }
        try other.save()
        book.setValue("mine", forKey: "title")
        let error = #expect(throws: NSError.self) { try tree.root.save() }
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.newVersionNumber == 0)
        #expect(conflict.cachedSnapshot?["title"] as? String == "base")
        #expect(conflict.persistedSnapshot == nil)
    }

    @Test("A conflict with the coordinator is one where the store computes values too", arguments: [false, true])
    func derived(keepsOther: Bool) throws {
        let (name, count) = (NSAttributeDescription(), NSDerivedAttributeDescription())
        (name.name, name.attributeType) = ("name", .stringAttributeType)
        (count.name, count.attributeType) = ("searchName", .stringAttributeType)
        count.derivationExpression = NSExpression(format: "canonical:(name)")
        let entity = NSEntityDescription()
        entity.name = "Person"
        entity.properties = [name, count]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TemporaryStack(model: model, storeType: NSSQLiteStoreType)
        let context = stack.context()
        let person = NSManagedObject(entity: entity, insertInto: context)
        person.setValue("base", forKey: "name")
        try context.save()
        let other = stack.context()
        other.retainsRegisteredObjects = keepsOther
        let theirs = try #require(try other.all("Person").first)
        theirs.setValue("theirs", forKey: "name")
        try other.save()
        person.setValue("mine", forKey: "name")
        let error = #expect(throws: NSError.self) { try context.save() }
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.cachedSnapshot?["name"] as? String == "theirs")
        #expect(conflict.persistedSnapshot == nil)
    }

    @Test("An object that another context of the coordinator has deleted has no cached and no persisted values")
    func deletedBySibling() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("base")
        try tree.root.save()
        let other = tree.sibling()
        for book in try other.all("Book") { other.delete(book) }
        try other.save()
        book.setValue("mine", forKey: "title")
        let error = #expect(throws: NSError.self) { try tree.root.save() }
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.newVersionNumber == 0)
        #expect(conflict.cachedSnapshot == nil)
        #expect(conflict.persistedSnapshot == nil)
    }

    @Test("A policy of one's own is asked with all conflicts of a save at once, before anything is written")
    func customPolicy() throws {
        final class Asking: NSMergePolicy, @unchecked Sendable {
            var asked: [Int] = []
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                asked.append(list.count)
                try super.resolve(optimisticLockingConflicts: list)
            }
        }
        let tree = try ContextTree()
        let books = (1...3).map { tree.root.makeBook("base \($0)") }
        try tree.root.save()
        let other = try tree.stored()
        for book in try other.all("Book") { book.setValue("theirs", forKey: "title") }
        try other.save()
        for book in books { book.setValue("mine", forKey: "title") }
        let policy = Asking(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        tree.root.mergePolicy = policy
        try tree.root.save()
        #expect(policy.asked == [3])
        #expect(try tree.stored().all("Book", "title == 'mine'").count == 3)
    }

    @Test("A policy that throws fails the save with its error, and changes nothing")
    func refusingPolicy() throws {
        final class Refusing: NSMergePolicy, @unchecked Sendable {
            override func resolve(mergeConflicts list: [Any]) throws { throw CocoaError(.userCancelled) }
        }
        let (tree, book) = try conflict(elsewhere: true)
        tree.root.mergePolicy = Refusing(merge: .overwriteMergePolicyType)
        #expect(throws: CocoaError(.userCancelled)) { try tree.root.save() }
        #expect(book.text("title") == "mine" && tree.root.updatedObjects == [book])
        #expect(try stored(tree) == ["theirs", "1", "2"])
    }

    @Test("awake(fromSnapshotEvents:) says that a policy has set the values")
    func snapshotEvent() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let other = try stack.tree.stored()
        try #require(try other.all("Thing").first).setValue(5, forKey: "size")
        try other.save()
        thing.setValue("B", forKey: "name")
        thing.log = []
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(thing.log.contains("awake \(NSSnapshotEventType.mergePolicy.rawValue)"))
        #expect(thing.value(forKey: "size") as? Int == 5)
    }

    @Test("After an error the object can be refreshed with its changes kept, and saved")
    func recovery() throws {
        let (tree, book) = try conflict(elsewhere: true)
        #expect(throws: NSError.self) { try tree.root.save() }
        tree.root.stalenessInterval = 0
        tree.root.refresh(book, mergeChanges: true)
        try tree.root.save()
        #expect(try stored(tree) == ["mine", "3", "2"])
    }

    @Test(
        "An object that is gone, and that the policy gives up, leaves the relationships of those that stay",
        arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback], [true, false])
    @MainActor
    func givenUp(policy: NSMergePolicy, inChild: Bool) throws {
        let stack = try ThingStack()
        let context = inChild ? stack.tree.child() : stack.tree.sibling()
        context.mergePolicy = policy
        let (owner, thing) = (try stack.thing("owner"), try stack.thing("gone"))
        let mark = stack.context.make("Mark", ["label": "m"])
        thing.setValue(owner, forKey: "parent")
        owner.setValue(NSSet(object: thing), forKey: "liked")
        owner.setValue(thing, forKey: "partner")
        owner.setValue(NSOrderedSet(object: mark), forKey: "steps")
        try stack.context.save()
        let mine = try context.existingObject(with: owner.objectID)
        for id in [thing.objectID, mark.objectID] {
            let object = try context.existingObject(with: id)
            object.setValue("mine", forKey: id == mark.objectID ? "label" : "name")
        }
        for key in ["children", "liked", "steps", "partner"] { _ = mine.value(forKey: key) }
        #expect(mine.members("children").count == 1 && mine.members("liked").count == 1)
        stack.context.delete(thing)
        stack.context.delete(mark)
        try stack.context.save()
        try context.save()
        #expect(mine.members("children").isEmpty && mine.members("liked").isEmpty)
        #expect(mine.value(forKey: "partner") == nil)
        #expect((mine.value(forKey: "steps") as? NSOrderedSet)?.count == 0)
        #expect(!context.hasChanges)
    }
}
