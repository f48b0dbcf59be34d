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

    @Test(
        "Members that are inserted without their owner, or an owner without its members, are refused where they were related before",
        arguments: Library.storeTypes)
    func relatedBeforeInsertion(storeType: String) throws {
        for (entity, key) in Self.relationships {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let entities = stack.context().persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
            for insertsBook in [true, false] {
                let context = stack.context()
                let book = NSManagedObject(entity: try #require(entities["Book"]), insertInto: nil)
                let other = NSManagedObject(entity: try #require(entities[entity]), insertInto: nil)
                for object in [book, other] { object.setValue("n", forKey: "name") }
                lead(book, by: key, to: other)
                let isKnown = insertsBook || entities["Book"]?.relationshipsByName[key]?.inverseRelationship != nil
                context.insert(insertsBook ? book : other)
                let error = isKnown ? #expect(throws: NSError.self, "\(key)") { try context.save() } : nil
                #expect(error == nil || error?.code == NSManagedObjectValidationError, "\(key)")
                context.insert(insertsBook ? other : book)
                try context.save()
                #expect(destinations(book, key) == [other])
            }
        }
    }

    private static let relationships = [
        ("Author", "author"), ("Cover", "cover"), ("Shelf", "shelf"), ("Genre", "genres"),
    ]

    private func lead(_ book: NSManagedObject, by key: String, to object: NSManagedObject) {
        if key == "genres" {
            book.mutableSetValue(forKey: key).add(object)
        } else {
            book.setValue(object, forKey: key)
        }
    }

    private func destinations(_ book: NSManagedObject, _ key: String) -> [NSManagedObject] {
        (book.value(forKey: key) as? NSManagedObject).map { [$0] } ?? (book.value(forKey: key) as? Set).map(Array.init)
            ?? []
    }

    @Test(
        "What leads to an object that is deleted by then leads nowhere after the save, as if it had done so before",
        arguments: Library.storeTypes, [true, false])
    func toBeDeleted(storeType: String, isChild: Bool) throws {
        for (entity, key) in Self.relationships {
            let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
            let context = stack.queueContext()
            try context.performAndWait {
                let (book, gone) = (context.make("Book", ["name": "b"]), context.make(entity, ["name": "x"]))
                try context.save()
                if isChild {
                    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    child.parent = context
                    let id = gone.objectID
                    try child.performAndWait {
                        child.delete(child.object(with: id))
                        try child.save()
                    }
                } else {
                    context.delete(gone)
                    context.processPendingChanges()
                }
                lead(book, by: key, to: gone)
                try context.save()
                #expect(destinations(book, key).isEmpty, "\(key)")
            }
            let saved = try #require(stack.reopened().all("Book").first)
            #expect(destinations(saved, key).isEmpty, "\(key)")
        }
    }

    @Test("Without an inverse, the save refuses what leads to an object that it deletes", arguments: Library.storeTypes)
    func toBeDeletedWithoutInverse(storeType: String) throws {
        let model = Shelves.model()
        let last = NSRelationshipDescription()
        last.name = "last"
        last.maxCount = 1
        last.destinationEntity = model.entitiesByName["Author"]
        model.entitiesByName["Book"]?.properties.append(last)
        let stack = try TemporaryStack(model: model, storeType: storeType)
        let context = stack.context()
        let (book, gone) = (context.make("Book", ["name": "b"]), context.make("Author", ["name": "x"]))
        try context.save()
        context.delete(gone)
        book.setValue(gone, forKey: "last")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectValidationError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "last")
        book.setValue(nil, forKey: "last")
        try context.save()
        // What an earlier save has written isn't looked at again.
        let other = context.make("Author", ["name": "y"])
        book.setValue(other, forKey: "last")
        try context.save()
        context.delete(other)
        book.setValue("c", forKey: "name")
        try context.save()
    }

    @Test(
        "An object that is inserted again has its relationships, at both ends", arguments: Library.storeTypes,
        [true, false])
    func relationshipsOfInsertedAgain(storeType: String, isDeletionSaved: Bool) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let context = stack.context()
        let books = ["a", "b"].map { context.make("Book", ["name": $0]) }
        let all = Self.relationships.map { (context.make($0.0, ["name": "x"]), $0.1) }
        for (object, key) in all {
            for book in key == "cover" ? [books[1]] : books { lead(book, by: key, to: object) }
        }
        try context.save()
        for (object, _) in all { context.delete(object) }
        if isDeletionSaved { try context.save() } else { context.processPendingChanges() }
        #expect(books.allSatisfy { book in Self.relationships.allSatisfy { destinations(book, $0.1).isEmpty } })
        for (object, _) in all { context.insert(object) }
        try context.save()
        let saved = try stack.reopened().all("Book").sorted { $0.text("name")! < $1.text("name")! }
        for (entity, key) in Self.relationships {
            for (book, isLeading) in zip(books + saved, [key != "cover", true, key != "cover", true]) {
                #expect(destinations(book, key).map { $0.entity.name } == (isLeading ? [entity] : []), "\(key)")
            }
        }
    }

    @Test(
        "An object whose row somebody else has brought back is inserted again as another one",
        arguments: Library.storeTypes)
    func broughtBackTwice(storeType: String) throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: storeType)
        let (context, other) = (stack.context(), stack.context())
        let author = context.make("Author", ["name": "x"])
        try context.save()
        let same = try #require(other.all("Author").first)
        #expect(same.text("name") == "x")
        let log = SaveLog(context)
        context.delete(author)
        try context.save()
        for save in log.take() { other.mergeChanges(fromContextDidSave: save) }
        for (context, object) in [(other, same), (context, author)] {
            context.insert(object)
            try context.save()
        }
        #expect(author.objectID != same.objectID)
        #expect(try stack.reopened().all("Author").count == 2)
    }

    @Test("So it is where the object that has left is made to lead to one that is there", arguments: Library.storeTypes)
    func ledFromOutside(storeType: String) throws {
        for departure in Departure.allCases {
            for (entity, key, back) in [
                ("Author", "author", "books"), ("Cover", "cover", "book"), ("Shelf", "shelf", "books"),
                ("Genre", "genres", "books"),
            ] {
                let desk = try Desk(storeType, departure)
                let stranger = try #require(desk.gone[entity])
                switch (entity, back) {
                case ("Author", _): stranger.mutableSetValue(forKey: back).add(desk.book)
                case (_, "book"): stranger.setValue(desk.book, forKey: back)
                default: stranger.mutableOrderedSetValue(forKey: back).add(desk.book)
                }
                let error = #expect(throws: NSError.self, "\(departure), \(key)") { try desk.context.save() }
                #expect(error?.code == NSManagedObjectValidationError)
                #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
            }
        }
    }
}
