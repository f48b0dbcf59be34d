import CoreData
import Foundation
import Testing

@Suite("An object that has left its context is no destination that can be saved, over every store type")
struct DanglingReferenceTests {
    enum Departure: CaseIterable {
        case deletedAndSaved, deletedUnsaved, rolledBack, deletedElsewhere, deletedByBatch, neverInserted
    }

    private struct Desk {
        let stack: TemporaryStack
        let context: NSManagedObjectContext
        let book: NSManagedObject
        /// By entity.
        var gone: [String: NSManagedObject] = [:]

        init(_ storeType: String, _ departure: Departure) throws {
            stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            context = stack.context()
            book = context.make("Book", ["name": "b"])
            try context.save()
            for entity in ["Author", "Cover", "Genre", "Shelf"] { gone[entity] = try lost(entity, departure) }
        }

        private func lost(_ entity: String, _ departure: Departure) throws -> NSManagedObject {
            if departure == .neverInserted {
                let description = try #require(book.managedObjectContext?.persistentStoreCoordinator)
                    .managedObjectModel.entitiesByName[entity]!
                return NSManagedObject(entity: description, insertInto: nil)
            }
            let object = context.make(entity, ["name": "x"])
            switch departure {
            case .deletedUnsaved:
                context.delete(object)
                context.processPendingChanges()
                return object
            case .rolledBack:
                context.rollback()
                return object
            default: try context.save()
            }
            switch departure {
            case .deletedElsewhere:
                let other = stack.context()
                let log = SaveLog(other)
                other.delete(other.object(with: object.objectID))
                try other.save()
                for save in log.take() { context.mergeChanges(fromContextDidSave: save) }
            case .deletedByBatch where stack.storeType == NSSQLiteStoreType:
                let delete = NSBatchDeleteRequest(objectIDs: [object.objectID])
                try context.execute(delete)
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSDeletedObjectsKey: [object.objectID]], into: [context])
            default:
                context.delete(object)
                try context.save()
            }
            return object
        }
    }

    @Test(
        "The save says which object leads where, and nothing was saved", arguments: Library.storeTypes,
        Departure.allCases)
    func refused(storeType: String, departure: Departure) throws {
        for (entity, key) in [("Author", "author"), ("Cover", "cover"), ("Shelf", "shelf"), ("Genre", "genres")] {
            let desk = try Desk(storeType, departure)
            let stranger = try #require(desk.gone[entity])
            let place = Comment(rawValue: "\(departure), \(key)")
            desk.book.setValue("c", forKey: "name")
            if key == "genres" {
                desk.book.mutableSetValue(forKey: key).add(stranger)
            } else {
                desk.book.setValue(stranger, forKey: key)
            }
            let error = #expect(throws: NSError.self, place) { try desk.context.save() }
            #expect(error?.code == NSManagedObjectValidationError, place)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key, place)
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === desk.book, place)
            #expect(try desk.stack.context().all("Book").first?.text("name") == "b", place)
            // The program mends it and goes on.
            desk.book.setValue(nil, forKey: key)
            try desk.context.save()
            let saved = try #require(desk.stack.reopened().all("Book").first)
            #expect(saved.text("name") == "c" && saved.value(forKey: "author") == nil, place)
        }
    }

    @Test(
        "An object that is inserted again, or for the first time, is a destination as any",
        arguments: Library.storeTypes)
    func insertedAgain(storeType: String) throws {
        for departure in [Departure.neverInserted, .deletedUnsaved] {
            let desk = try Desk(storeType, departure)
            let author = try #require(desk.gone["Author"])
            desk.book.setValue(author, forKey: "author")
            desk.context.insert(author)
            author.setValue("y", forKey: "name")
            try desk.context.save()
            let saved = try #require(desk.stack.reopened().all("Book").first)
            #expect((saved.value(forKey: "author") as? NSManagedObject)?.text("name") == "y", "\(departure)")
        }
    }
}
