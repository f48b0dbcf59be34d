import CoreData
import Foundation
import Testing

/// Saving advances a pinned context to the most recent state for the operation (Apple's header of `NSManagedObjectContext`), so a
/// policy decides by what is there now, as in a context that isn't pinned.
@Suite("A conflict of a context that is pinned to a query generation")
struct PinnedConflictTests {
    private static let policies: [(String, NSMergePolicy)] = [
        ("error", .error), ("store", .mergeByPropertyStoreTrump), ("object", .mergeByPropertyObjectTrump),
        ("overwrite", .overwrite), ("rollback", .rollback),
    ]

    /// What others do between the state that the context sees and its save, and what it does itself.
    private enum Course: CaseIterable {
        case insertedBoth, insertedByBatch, takenValue, changedBoth, deletedElsewhere, deletedHere
    }

    private static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        let note = NSEntityDescription()
        note.name = "Note"
        note.managedObjectClassName = "NSManagedObject"
        note.properties = [
            attribute("key", .stringAttributeType), attribute("size", .integer64AttributeType),
            attribute("text", .stringAttributeType),
        ]
        note.uniquenessConstraints = [["key"]]
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    /// - Returns: what the store holds afterwards, and the error of the save.
    private func outcome(_ course: Course, _ policy: NSMergePolicy, isPinned: Bool) throws -> String {
        let stack = try TrackedStack(tracksHistory: false, model: Self.model())
        stack.context.make("Note", ["key": "old", "size": 1])
        try stack.context.save()
        let context = stack.anotherContext()
        context.mergePolicy = policy
        if isPinned { try context.setQueryGenerationFrom(.current) }
        let own = try #require(try context.all("Note").first)
        #expect(own.value(forKey: "size") as? Int == 1)
        let other = stack.anotherContext()
        let theirs = try #require(try other.all("Note").first)
        switch course {
        case .insertedBoth, .takenValue: other.make("Note", ["key": "new", "size": 2, "text": "theirs"])
        case .insertedByBatch:
            _ = try other.execute(NSBatchInsertRequest(entityName: "Note", objects: [["key": "new", "size": 2]]))
        case .changedBoth, .deletedHere:
            theirs.setValue(3, forKey: "size")
            theirs.setValue("theirs", forKey: "text")
        case .deletedElsewhere: other.delete(theirs)
        }
        try other.save()
        switch course {
        case .insertedBoth, .insertedByBatch: context.make("Note", ["key": "new", "size": 5])
        case .takenValue: own.setValue("new", forKey: "key")
        case .changedBoth, .deletedElsewhere: own.setValue(5, forKey: "size")
        case .deletedHere: context.delete(own)
        }
        var code = 0
        do { try context.save() } catch { code = (error as NSError).code }
        if code != 0, isPinned {
            // It goes on with the state that it has seen.
            let names = NSFetchRequest<NSDictionary>(entityName: "Note")
            names.resultType = .dictionaryResultType
            names.propertiesToFetch = ["key", "size"]
            names.includesPendingChanges = false
            #expect(try context.fetch(names) == [["key": "old", "size": 1]])
        }
        let rows = try stack.rows("SELECT ZKEY, ZSIZE, ZTEXT FROM ZNOTE ORDER BY ZKEY")
        return "\(code) \(rows.map { $0.map { $0 ?? "nil" } })"
    }

    @Test("ends as that of one that isn't, under every policy", arguments: policies.map(\.0))
    func ends(_ name: String) throws {
        let policy = try #require(Self.policies.first { $0.0 == name }).1
        for course in Course.allCases {
            let plain = try outcome(course, policy, isPinned: false)
            #expect(try outcome(course, policy, isPinned: true) == plain, "\(course)")
        }
    }
}
