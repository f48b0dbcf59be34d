import CoreData
import Foundation
import Testing

@Suite("A child leads to an object that its parent has deleted")
@MainActor
struct DeletedByParentTests {
    private static func model(isOrdered: Bool) -> NSManagedObjectModel {
        let (shelf, item) = (NSEntityDescription(), NSEntityDescription())
        func relate(_ name: String, _ inverse: String, toMany: Bool, backToMany: Bool) {
            let (forth, back) = (NSRelationshipDescription(), NSRelationshipDescription())
            (forth.name, back.name) = (name, inverse)
            (forth.destinationEntity, back.destinationEntity) = (item, shelf)
            (forth.maxCount, back.maxCount) = (toMany ? 0 : 1, backToMany ? 0 : 1)
            forth.isOrdered = toMany && isOrdered
            (forth.inverseRelationship, back.inverseRelationship) = (back, forth)
            shelf.properties.append(forth)
            item.properties.append(back)
        }
        (shelf.name, item.name) = ("Shelf", "Item")
        let label = NSAttributeDescription()
        (label.name, label.attributeType) = ("label", .stringAttributeType)
        shelf.properties.append(label)
        relate("items", "shelf", toMany: true, backToMany: false)
        relate("top", "topOf", toMany: false, backToMany: false)
        relate("marked", "marks", toMany: true, backToMany: true)
        let model = NSManagedObjectModel()
        model.entities = [shelf, item]
        return model
    }

    private static func link(_ item: NSManagedObject, _ shelf: NSManagedObject, by key: String) {
        switch key {
        case "shelf", "topOf": item.setValue(shelf, forKey: key)
        case "top": shelf.setValue(item, forKey: key)
        default:
            if shelf.entity.relationshipsByName[key]!.isOrdered {
                shelf.mutableOrderedSetValue(forKey: key).add(item)
            } else {
                shelf.mutableSetValue(forKey: key).add(item)
            }
        }
    }

    @Test(
        "Where the deletion prevails, nothing leads to the object, in the child, the parent and the store",
        arguments: Library.storeTypes, [NSMergePolicy.rollback, .mergeByPropertyStoreTrump])
    func withdrawn(storeType: String, policy: NSMergePolicy) throws {
        for key in ["shelf", "items", "top", "topOf", "marked"] {
            for (isOrdered, wasSaved) in [(false, true), (true, true), (false, false), (true, false)] {
                let place = Comment(rawValue: "\(key), ordered: \(isOrdered), saved: \(wasSaved)")
                let tree = try ContextTree(model: Self.model(isOrdered: isOrdered), storeType: storeType)
                let shelf = tree.root.make("Shelf")
                if wasSaved { try tree.root.save() } else { tree.root.processPendingChanges() }
                let child = tree.child()
                (child.mergePolicy, tree.root.mergePolicy) = (policy, policy)
                let mine = try child.existingObject(with: shelf.objectID)
                _ = mine.value(forKey: "items")
                let item = child.make("Item")
                tree.root.delete(shelf)
                tree.root.processPendingChanges()
                Self.link(item, mine, by: key)
                try child.save()
                for relationship in ["shelf", "topOf"] {
                    #expect(item.value(forKey: relationship) == nil, place)
                }
                #expect((item.value(forKey: "marks") as? NSSet)?.count == 0, place)
                try tree.root.save()
                for context in [tree.root, try tree.stored()] {
                    #expect(try context.all("Shelf").isEmpty, place)
                    let items = try context.all("Item")
                    #expect(items.count == 1, place)
                    for relationship in ["shelf", "topOf"] {
                        #expect(items.first?.value(forKey: relationship) == nil, place)
                    }
                    #expect((items.first?.value(forKey: "marks") as? NSSet)?.count == 0, place)
                }
            }
        }
    }

    @Test("Where the parent has undone an insertion, what the child brings back no longer leads to that object")
    func undoneInsertion() throws {
        for (key, isOrdered) in [("items", false), ("items", true), ("top", false), ("marked", false)] {
            let place = Comment(rawValue: "\(key), ordered: \(isOrdered)")
            let tree = try ContextTree(model: Self.model(isOrdered: isOrdered))
            let manager = tree.root.undoing()
            let shelf = tree.root.step { tree.root.make("Shelf") }
            try tree.root.save()
            let child = tree.child()
            child.mergePolicy = NSMergePolicy.overwrite
            let mine = try child.existingObject(with: shelf.objectID)
            manager.beginUndoGrouping()
            Self.link(child.make("Item"), mine, by: key)
            try child.save()
            manager.endUndoGrouping()
            tree.root.undo()
            tree.root.step { tree.root.delete(shelf) }
            mine.setValue(mine.value(forKey: key), forKey: key)
            mine.setValue("changed", forKey: "label")
            manager.beginUndoGrouping()
            try child.save()
            manager.endUndoGrouping()
            try tree.root.save()
            for context in [tree.root, try tree.stored()] {
                let found = try #require(try context.all("Shelf").first, place)
                #expect(found.objectIDs(forRelationshipNamed: key).isEmpty, place)
                #expect(try context.all("Item").isEmpty, place)
            }
        }
    }
}
