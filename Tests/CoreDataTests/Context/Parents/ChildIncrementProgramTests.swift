import CoreData
import Foundation
import Testing
import TestSupport

/// Contexts that count up one number: each adds one to what it shows. Whatever they keep, drop, merge and edit beside it, each
/// addition that was saved counts, and a save fails only where somebody else has saved what no parent has merged.
@Suite("Additions by children, their parents and others are all counted, or are conflicts")
@MainActor
struct ChildIncrementProgramTests {
    nonisolated private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    private final class Program {
        let root: NSManagedObjectContext
        let other: NSManagedObjectContext
        let middle: NSManagedObjectContext
        /// Children of the root, one of them with a child of its own.
        let editors: [NSManagedObjectContext]
        private let coordinator: NSPersistentStoreCoordinator
        private let folder: TemporaryFolder
        private let savesOfOther: PostedNotifications
        private var random: SeededGenerator
        private var held: [Int: NSManagedObject] = [:]
        private var heldByRoot: NSManagedObject?
        private var heldByMiddle: NSManagedObject?
        private var merged = 0
        private var waiting = 0
        private var counted = 0
        private var isAhead = false
        private var stores = 1
        private(set) var log: [String] = []

        init(_ type: String, seed: UInt64) throws {
            folder = try TemporaryFolder()
            random = SeededGenerator(seed: seed)
            let item = NSEntityDescription()
            item.name = "Item"
            item.properties = [
                MigrationLibrary.attribute("count", .integer64AttributeType),
                MigrationLibrary.attribute("note", .integer64AttributeType),
            ]
            let model = NSManagedObjectModel()
            model.entities = [item]
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("store"))
            (root, other) = (NSManagedObjectContext(.mainQueue), NSManagedObjectContext(.mainQueue))
            for context in [root, other] { context.persistentStoreCoordinator = coordinator }
            middle = NSManagedObjectContext(.mainQueue)
            middle.parent = root
            let second = NSManagedObjectContext(.mainQueue)
            second.parent = root
            let grandchild = NSManagedObjectContext(.mainQueue)
            grandchild.parent = middle
            editors = [second, grandchild]
            savesOfOther = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
            other.make("Item", ["count": 0, "note": 0])
            try other.save()
            other.reset()
            merged = savesOfOther.count
        }

        func run(steps: Int) throws {
            for _ in 0..<steps { try step() }
            try saveRoot()
        }

        func storedCount() throws -> (Int?, expected: Int) {
            other.reset()
            return (try other.all("Item").first?.value(forKey: "count") as? Int, counted)
        }

        private func step() throws {
            let editor = Int.random(in: 0..<editors.count, using: &random)
            switch Int.random(in: 0..<15, using: &random) {
            case 0, 1: try addElsewhere()
            case 2, 3, 4, 5: try add(by: editor)
            case 6, 7: try saveRoot()
            case 8: try merge()
            case 9:
                log.append("root holds")
                heldByRoot = try root.all("Item").first
                if Bool.random(using: &random) { _ = heldByRoot?.value(forKey: "count") }
            case 10:
                log.append("root and middle drop")
                (heldByRoot, heldByMiddle) = (nil, nil)
            case 11:
                log.append("\(editor) drops")
                held[editor] = nil
            case 12: try saveAs()
            case 13:
                log.append("middle holds")
                heldByMiddle = try middle.all("Item").first
            default:
                log.append("root edits its note")
                let mine = try #require(try root.all("Item").first)
                mine.setValue(Int.random(in: 1..<1000, using: &random), forKey: "note")
            }
        }

        private func saveAs() throws {
            log.append("Save As")
            stores += 1
            let store = try #require(coordinator.persistentStores.first)
            _ = try coordinator.migratePersistentStore(
                store, to: folder.url.appendingPathComponent("store\(stores)"), withType: store.type)
        }

        private func addElsewhere() throws {
            log.append("other adds")
            other.reset()
            let mine = try #require(try other.all("Item").first)
            mine.setValue((mine.value(forKey: "count") as? Int ?? 0) + 1, forKey: "count")
            try other.save()
            counted += 1
            isAhead = true
        }

        private func add(by editor: Int) throws {
            let context = editors[editor]
            let mine = try #require(try held[editor] ?? context.all("Item").first)
            held[editor] = mine
            let shown = mine.value(forKey: "count") as? Int ?? 0
            log.append("\(editor) adds to \(shown)")
            mine.setValue(shown + 1, forKey: "count")
            try context.save()
            if context.parent === middle { try middle.save() }
            waiting += 1
            // The others go on from what the root has now.
            if context.parent !== middle { middle.refreshAllObjects() }
            for (index, other) in editors.enumerated() where index != editor { other.refreshAllObjects() }
        }

        private func saveRoot() throws {
            do {
                try root.save()
                log.append("root saves")
                counted += waiting
            } catch {
                log.append("conflict")
                #expect((error as NSError).code == NSManagedObjectMergeError)
                #expect(isAhead, "a conflict without another's save: \(log.joined(separator: ", "))")
                for context in [root, middle] + editors { context.reset() }
                (held, heldByRoot, heldByMiddle) = ([:], nil, nil)
                merged = savesOfOther.count
                isAhead = false
            }
            waiting = 0
        }

        /// What is merged beneath an edit is overwritten by it, as the program has been told of both.
        private func merge() throws {
            guard waiting == 0 else { return }
            log.append("all merge")
            for notification in savesOfOther.all[merged...] {
                for context in [root, middle] + editors { context.mergeChanges(fromContextDidSave: notification) }
            }
            merged = savesOfOther.count
            isAhead = false
        }
    }

    @Test("over every store type", arguments: types)
    func programs(type: String) throws {
        for seed in ProgramSeeds.seeds(from: 1, usually: 60) {
            let program = try Program(type, seed: seed)
            try program.run(steps: 40)
            let (stored, expected) = try program.storedCount()
            #expect(stored == expected, "seed \(seed): \(program.log.joined(separator: ", "))")
        }
    }
}
