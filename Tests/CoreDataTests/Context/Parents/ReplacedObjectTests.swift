import CoreData
import Foundation
import Testing

/// The parent's save gives the object up as a row has its unique value; the child still holds its own.
@Suite("An object that a child has inserted stands for the row that has taken its place")
@MainActor
struct ReplacedObjectTests {
    nonisolated private static let policies = ["store", "object", "overwrite"]

    @MainActor
    private struct Tree {
        let tree: ContextTree
        let child: NSManagedObjectContext
        var root: NSManagedObjectContext { tree.root }

        init(_ policy: String, depth: Int) throws {
            let (note, tag) = (NSEntityDescription(), NSEntityDescription())
            (note.name, tag.name) = ("Note", "Tag")
            let size = MigrationLibrary.attribute("size", .integer64AttributeType)
            size.defaultValue = 9
            note.properties = [
                MigrationLibrary.attribute("key", .stringAttributeType), size,
                MigrationLibrary.attribute("text", .stringAttributeType),
            ]
            note.uniquenessConstraints = [["key"]]
            tag.properties = [MigrationLibrary.attribute("name", .stringAttributeType)]
            let (tags, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
            (tags.name, tags.maxCount, tags.destinationEntity, tags.inverseRelationship) = ("tags", 0, tag, owner)
            (owner.name, owner.maxCount, owner.destinationEntity, owner.inverseRelationship) = ("note", 1, note, tags)
            for relationship in [tags, owner] { relationship.isOptional = true }
            note.properties.append(tags)
            tag.properties.append(owner)
            let model = NSManagedObjectModel()
            model.entities = [note, tag]
            tree = try ContextTree(model: model)
            let middle = depth == 2 ? tree.child() : tree.root
            child = tree.child(of: middle)
            for context in [tree.root, middle, child] {
                context.mergePolicy =
                    switch policy {
                    case "store": NSMergePolicy.mergeByPropertyStoreTrump
                    case "object": NSMergePolicy.mergeByPropertyObjectTrump
                    default: NSMergePolicy.overwrite
                    }
            }
            let other = tree.sibling()
            let stored = other.make("Note", ["key": "a", "size": 1, "text": "stored"])
            other.make("Tag", ["name": "first", "note": stored])
            try other.save()
        }

        func save() throws {
            try child.save()
            if let middle = child.parent, middle !== root { try middle.save() }
            try root.save()
        }

        /// The notes, and the names of their tags.
        func stored() throws -> [String] {
            try tree.stored().all("Note").map {
                let tags = $0.members("tags").compactMap { $0.text("name") }.sorted()
                return
                    "\($0.text("key") ?? "nil") \($0.value(forKey: "size") ?? "nil") \($0.text("text") ?? "nil") \(tags)"
            }
        }
    }

    @Test("What the child does to it afterwards is done to the row", arguments: policies, [1, 2])
    func goesOn(policy: String, depth: Int) throws {
        let tree = try Tree(policy, depth: depth)
        let mine = tree.child.make("Note", ["key": "a"])
        try tree.save()
        #expect(mine.managedObjectContext === tree.child)
        mine.setValue("mine", forKey: "text")
        tree.child.make("Tag", ["name": "second", "note": mine])
        try tree.save()
        // Overwriting writes all that a new object has.
        let whole = policy == "overwrite"
        #expect(try tree.stored() == [whole ? "a 9 mine [\"second\"]" : "a 1 mine [\"first\", \"second\"]"])
        #expect(try tree.child.all("Note") == [mine])
        #expect(!mine.objectID.isTemporaryID)
        tree.child.delete(mine)
        try tree.save()
        #expect(try tree.stored() == [])
    }

    @Test("Where the child has an object for the row, that one gets what was changed meanwhile", arguments: policies)
    func otherInstance(policy: String) throws {
        let tree = try Tree(policy, depth: 1)
        let row = try #require(try tree.child.all("Note").first)
        #expect(row.text("text") == "stored")
        let mine = tree.child.make("Note", ["key": "a"])
        let tag = tree.child.make("Tag", ["name": "second", "note": mine])
        try tree.child.save()
        mine.setValue("mine", forKey: "text")
        tree.child.make("Tag", ["name": "third", "note": mine])
        try tree.root.save()
        try tree.save()
        #expect(mine.managedObjectContext == nil && mine.isFault)
        #expect(tag.value(forKey: "note") as? NSManagedObject === row)
        #expect(try tree.child.all("Note") == [row])
        let stored = try #require(try tree.stored().first)
        #expect(stored.hasPrefix(policy == "overwrite" ? "a 9 mine" : "a 1 mine"))
        #expect(stored.contains("second") && stored.contains("third"), "\(stored)")
    }

    @Test("Of two with the same value one is the row's, and gets what is done to the other", arguments: policies)
    func two(policy: String) throws {
        let tree = try Tree(policy, depth: 1)
        let both = (0..<2).map { _ in tree.child.make("Note", ["key": "a"]) }
        try tree.save()
        for (number, note) in both.enumerated() { tree.child.make("Tag", ["name": "tag\(number)", "note": note]) }
        try tree.save()
        let stored = try #require(try tree.stored().first)
        #expect(stored.contains("tag0") && stored.contains("tag1"), "\(stored)")
        #expect(try tree.child.all("Note").count == 1)
        #expect(both.filter { $0.managedObjectContext == nil }.count == 1)
        for note in both where note.managedObjectContext != nil { tree.child.delete(note) }
        try tree.save()
        #expect(try tree.stored() == [])
    }

    @Test("The undo of the insertion leaves the row alone, and so does a redo", arguments: policies, [true, false])
    func undone(policy: String, readsRow: Bool) throws {
        let tree = try Tree(policy, depth: 1)
        let manager = UndoManager()
        manager.groupsByEvent = false
        tree.child.undoManager = manager
        let row = readsRow ? try tree.child.all("Note").first : nil
        manager.beginUndoGrouping()
        tree.child.make("Note", ["key": "a", "text": "mine"])
        tree.child.processPendingChanges()
        manager.endUndoGrouping()
        try tree.save()
        let stored = try tree.stored()
        tree.child.undo()
        try tree.save()
        #expect(try tree.stored() == stored)
        tree.child.redo()
        try tree.save()
        #expect(try tree.stored() == stored)
        #expect(row?.managedObjectContext === (readsRow ? tree.child : nil))
    }

    @Test("A results controller that shows the row is told that the inserted object goes", arguments: policies)
    func controlled(policy: String) throws {
        let tree = try Tree(policy, depth: 1)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: tree.child, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        delegate.copy(controller)
        let row = try #require(controller.fetchedObjects?.first)
        tree.child.make("Note", ["key": "a"])
        try tree.save()
        tree.child.processPendingChanges()
        #expect(controller.fetchedObjects == [row])
        #expect(delegate.sections.map(\.objects) == [[row]] && delegate.problems == [])
        for type in [NSFetchedResultsChangeType.insert, .delete] {
            #expect(delegate.events.filter { $0.hasPrefix("\(type) ") }.count == 1)
        }
    }

    @Test("One that was undone and redone gives the row no more than was set", arguments: [1, 2])
    func redone(depth: Int) throws {
        let tree = try Tree("object", depth: depth)
        let manager = UndoManager()
        manager.groupsByEvent = false
        tree.child.undoManager = manager
        manager.beginUndoGrouping()
        tree.child.make("Note", ["key": "a", "text": "mine"])
        tree.child.processPendingChanges()
        manager.endUndoGrouping()
        tree.child.undo()
        tree.child.redo()
        try tree.save()
        #expect(try tree.stored() == ["a 1 mine [\"first\"]"])
    }

    @Test("The object that the root gives up is a fault that reads nil, as what was deleted", arguments: policies)
    func fault(policy: String) throws {
        let tree = try Tree(policy, depth: 1)
        let mine = tree.root.make("Note", ["key": "a", "text": "mine"])
        try tree.root.save()
        #expect(mine.managedObjectContext == nil && mine.isFault)
        #expect(mine.text("text") == nil)
    }
}
