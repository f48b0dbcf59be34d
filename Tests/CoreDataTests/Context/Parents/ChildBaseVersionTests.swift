import CoreData
import Foundation
import Testing

@Suite("What a child has read is what its changes are based on, also where its parent hasn't kept it")
@MainActor
struct ChildBaseVersionTests {
    enum Holding: CaseIterable {
        case nothing, fault, refreshed
    }

    nonisolated private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    private struct Tree {
        let folder: TemporaryFolder
        let root: NSManagedObjectContext
        let other: NSManagedObjectContext
        /// The root's child, and the one that edits: the same, or a child of it.
        let middle: NSManagedObjectContext
        let editor: NSManagedObjectContext

        init(_ type: String, depth: Int) throws {
            folder = try TemporaryFolder()
            let item = NSEntityDescription()
            item.name = "Item"
            item.properties = [
                MigrationLibrary.attribute("count", .integer64AttributeType),
                MigrationLibrary.attribute("note", .stringAttributeType),
            ]
            let model = NSManagedObjectModel()
            model.entities = [item]
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("store"))
            (root, other) = (NSManagedObjectContext(.mainQueue), NSManagedObjectContext(.mainQueue))
            for context in [root, other] { context.persistentStoreCoordinator = coordinator }
            middle = NSManagedObjectContext(.mainQueue)
            middle.parent = root
            if depth == 2 {
                editor = NSManagedObjectContext(.mainQueue)
                editor.parent = middle
            } else {
                editor = middle
            }
            other.make("Item", ["count": 0])
            try other.save()
            other.reset()
        }

        func setElsewhere(_ count: Int) throws {
            try #require(other.all("Item").first).setValue(count, forKey: "count")
            try other.save()
            other.reset()
        }

        func saveToRoot() throws {
            try editor.save()
            if middle !== editor { try middle.save() }
        }

        func stored() throws -> Int? {
            other.reset()
            return try other.all("Item").first?.value(forKey: "count") as? Int
        }
    }

    @Test("what others have saved since is a conflict of the root's save", arguments: types, Holding.allCases)
    func conflict(type: String, holding: Holding) throws {
        for depth in 1...2 {
            let tree = try Tree(type, depth: depth)
            var held: [NSManagedObject] = []
            if holding != .nothing { held = try tree.root.all("Item") }
            if holding == .refreshed {
                _ = held[0].value(forKey: "count")
                tree.root.refreshAllObjects()
            }
            let mine = try #require(tree.editor.all("Item").first)
            #expect(mine.value(forKey: "count") as? Int == 0)
            try tree.setElsewhere(50)
            mine.setValue(1, forKey: "count")
            try tree.saveToRoot()
            let error = #expect(throws: NSError.self) { try tree.root.save() }
            #expect(error?.code == NSManagedObjectMergeError)
            #expect(try tree.stored() == 50)
            withExtendedLifetime(held) {}
        }
    }

    @Test("the root's merge policy sees what the child has read as what the change is based on", arguments: types)
    func policies(type: String) throws {
        for (policy, count, note) in [
            (NSMergePolicy.mergeByPropertyStoreTrump, 50, "mine"), (.mergeByPropertyObjectTrump, 1, "mine"),
            (.rollback, 50, nil),
        ] as [(NSMergePolicy, Int, String?)] {
            let tree = try Tree(type, depth: 1)
            tree.root.mergePolicy = policy
            let mine = try #require(tree.editor.all("Item").first)
            _ = mine.value(forKey: "count")
            try tree.setElsewhere(50)
            mine.setValue(1, forKey: "count")
            mine.setValue("mine", forKey: "note")
            try tree.saveToRoot()
            try tree.root.save()
            #expect(try tree.stored() == count)
            #expect(try tree.other.all("Item").first?.text("note") == note)
        }
    }

    @Test(
        "what the root has read itself stays, and is a conflict where the child has changed the same", arguments: types)
    func readByRoot(type: String) throws {
        for (changesSame, deletes) in [(false, false), (true, false), (false, true)] {
            let tree = try Tree(type, depth: 1)
            let mine = try #require(tree.editor.all("Item").first)
            _ = mine.value(forKey: "count")
            try tree.setElsewhere(50)
            let held = try #require(tree.root.all("Item").first)
            #expect(held.value(forKey: "count") as? Int == 50)
            mine.setValue("mine", forKey: "note")
            if changesSame { mine.setValue(1, forKey: "count") }
            if deletes { tree.editor.delete(mine) }
            try tree.editor.save()
            if !deletes {
                #expect(held.value(forKey: "count") as? Int == (changesSame ? 1 : 50))
                #expect(held.text("note") == "mine")
            }
            if changesSame || deletes {
                #expect(throws: NSError.self) { try tree.root.save() }
            } else {
                try tree.root.save()
            }
            #expect(try tree.stored() == 50)
        }
    }

    @Test("a deletion by a child of what others have changed since is a conflict", arguments: types)
    func deletion(type: String) throws {
        let tree = try Tree(type, depth: 1)
        let mine = try #require(tree.editor.all("Item").first)
        _ = mine.value(forKey: "count")
        try tree.setElsewhere(50)
        tree.editor.delete(mine)
        try tree.saveToRoot()
        #expect(throws: NSError.self) { try tree.root.save() }
        #expect(try tree.stored() == 50)
    }

    @Test("what the root itself has saved or merged since is none", arguments: types, [false, true])
    func ownChanges(type: String, isMerge: Bool) throws {
        for depth in 1...2 {
            let tree = try Tree(type, depth: depth)
            let mine = try #require(tree.editor.all("Item").first)
            _ = mine.value(forKey: "count")
            if isMerge {
                let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: tree.other)
                try tree.setElsewhere(50)
                tree.root.mergeChanges(fromContextDidSave: try #require(saved.last))
            } else {
                try #require(tree.root.all("Item").first).setValue(50, forKey: "count")
                try tree.root.save()
            }
            for round in 1...3 {
                mine.setValue(round, forKey: "count")
                try tree.saveToRoot()
                try tree.root.save()
                #expect(try tree.stored() == round)
            }
        }
    }
}
