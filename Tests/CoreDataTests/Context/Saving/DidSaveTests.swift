import CoreData
import Foundation
import Testing

@Suite("What an object does in its didSave() is an unsaved change like any other, over every store type")
struct DidSaveTests {
    final class Node: NSManagedObject {
        var whenSaved: (() -> Void)?

        override func didSave() {
            super.didSave()
            whenSaved?()
        }
    }

    private static func model() -> NSManagedObjectModel {
        let node = NSEntityDescription()
        node.name = "Node"
        node.managedObjectClassName = NSStringFromClass(Node.self)
        let name = NSAttributeDescription()
        (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
        let partner = NSRelationshipDescription()
        (partner.name, partner.destinationEntity, partner.maxCount) = ("partner", node, 1)
        (partner.isOptional, partner.deleteRule, partner.inverseRelationship) = (true, .nullifyDeleteRule, partner)
        node.properties = [name, partner]
        let model = NSManagedObjectModel()
        model.entities = [node]
        return model
    }

    private struct Pair {
        let stack: TemporaryStack
        let context: NSManagedObjectContext
        let kept: Node
        let gone: Node

        init(_ storeType: String) throws {
            stack = try TemporaryStack(model: DidSaveTests.model(), storeType: storeType)
            context = stack.context()
            kept = try #require(context.make("Node", ["name": "kept"]) as? Node)
            gone = try #require(context.make("Node", ["name": "gone"]) as? Node)
            try context.save()
            context.delete(gone)
            kept.setValue("changed", forKey: "name")
        }

        func storedNames() throws -> [String] {
            let other = stack.context()
            return try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node"))
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    enum Then: CaseIterable {
        case nothing, processing, fetching, saving
    }

    @Test(
        "a reference to what the save has deleted is refused by the next", arguments: Library.storeTypes, Then.allCases)
    func dangling(storeType: String, then: Then) throws {
        let pair = try Pair(storeType)
        var nested: NSError?
        pair.kept.whenSaved = { [unowned kept = pair.kept, unowned gone = pair.gone, context = pair.context] in
            #expect(gone.isDeleted && gone.managedObjectContext != nil)
            kept.setValue(gone, forKey: "partner")
            switch then {
            case .nothing: break
            case .processing: context.processPendingChanges()
            case .fetching: _ = try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Node"))
            case .saving:
                do { try context.save() } catch { nested = error as NSError }
            }
        }
        try pair.context.save()
        #expect((nested?.code == NSManagedObjectValidationError) == (then == .saving))
        pair.kept.whenSaved = nil
        let error = #expect(throws: NSError.self) { try pair.context.save() }
        #expect(error?.code == NSManagedObjectValidationError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "partner")
        pair.kept.setValue(nil, forKey: "partner")
        try pair.context.save()
        #expect(try pair.storedNames() == ["changed"])
    }

    @Test("a deleted object that inserts itself again is saved by the next", arguments: Library.storeTypes)
    func insertedAgain(storeType: String) throws {
        let pair = try Pair(storeType)
        pair.gone.whenSaved = { [unowned gone = pair.gone] in gone.managedObjectContext?.insert(gone) }
        try pair.context.save()
        pair.gone.whenSaved = nil
        #expect(pair.context.hasChanges)
        #expect(pair.gone.managedObjectContext === pair.context && !pair.gone.isDeleted)
        try pair.context.save()
        #expect(try pair.storedNames() == ["changed", "gone"])
        #expect(!pair.context.hasChanges)
    }
}
