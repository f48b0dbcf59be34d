import CoreData
import Foundation

extension StoreRule {
    static let faultingRules: [StoreRule] = [
        StoreRule("An object is a fault until a value is asked for, and can be one again") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let book = try trial.require(try context.all("Book", "name == 'Tehanu'").first, "book")
                context.refresh(book, mergeChanges: false)
                trial.expect(book.isFault, "a refreshed object should be a fault")
                trial.expectEqual(SampleValue.text(book.value(forKey: "pages")), "281", "pages of a fault")
                trial.expect(!book.isFault, "an object whose value was read should be no fault")
                trial.expectEqual(book.names("author"), ["Ursula"], "the author of what was a fault")
            }
        },
        StoreRule("A context has one object for each of the store's, however it is come by") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let ursula = try context.object("Author", "Ursula")
                let tehanu = try context.object("Book", "Tehanu")
                trial.expect(
                    tehanu.value(forKey: "author") as? NSManagedObject === ursula, "one object by relationship")
                trial.expect(context.object(with: ursula.objectID) === ursula, "one object by ID")
                trial.expect(try context.existingObject(with: ursula.objectID) === ursula, "one existing object by ID")
            }
        },
        StoreRule("An ID never changes, and its URI leads back to the object") { trial in
            let stack = try trial.open()
            let uri: URL = try stack.run { context in
                let book = context.make("Book", ["name": "Tehanu"])
                trial.expect(book.objectID.isTemporaryID, "an unsaved object should have a temporary ID")
                try context.save()
                let id = book.objectID
                trial.expect(!id.isTemporaryID, "a saved object should have a permanent ID")
                book.setValue("Other", forKey: "name")
                try context.save()
                trial.expectEqual(book.objectID, id, "the ID after a change")
                return id.uriRepresentation()
            }
            try trial.reopened(stack) { context in
                let found = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
                let id = try trial.require(found, "object ID for \(uri)")
                trial.expectEqual(try context.existingObject(with: id).name, "Other", "the object of the URI")
                trial.expectEqual(id.uriRepresentation(), uri, "the URI of the ID")
            }
        },
        StoreRule(
            "Two stacks over one store have the same IDs and URIs for its objects", where: \.keepsContents
        ) { trial in
            let stack = try TrialLibrary.stack(in: trial)
            let known = try stack.inNewContext { try ids($0) }
            if !trial.conformance.isShared { try stack.close() }
            let other = try trial.open()
            try other.run { context in
                // This one hasn't named any object yet.
                for (uri, id) in known.map({ ($1.uriRepresentation(), $1) }) {
                    let found = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
                    trial.expectEqual(found, id, "the ID for the URI \(uri) of another stack")
                }
                for (name, id) in known {
                    trial.expectEqual(
                        try key(context.existingObject(with: id)), name, "the object of an ID of another stack")
                }
                trial.expectEqual(
                    try ids(context).mapValues { $0.uriRepresentation() }, known.mapValues { $0.uriRepresentation() },
                    "the URIs of two stacks")
            }
        },
        StoreRule("An ID that was obtained before the first save stays the object's") { trial in
            let stack = try trial.open()
            try stack.run { context in
                let author = context.make("Author", ["name": "Ursula"])
                try context.obtainPermanentIDs(for: [author])
                let id = author.objectID
                trial.expect(!id.isTemporaryID, "the ID should be permanent")
                context.make("Book", ["name": "Tehanu", "author": author])
                try context.save()
                trial.expectEqual(author.objectID, id, "the ID after the save")
            }
            try trial.reopened(stack) { context in
                trial.expectEqual(try context.object("Book", "Tehanu").names("author"), ["Ursula"], "the author")
            }
        },
        StoreRule("IDs are told apart: each object has its own, and none comes again") { trial in
            let stack = try trial.open()
            try stack.run { context in
                var seen: Set<NSManagedObjectID> = []
                for round in 0..<3 {
                    let made = ["Book", "Film", "Author"].flatMap { entity in
                        (0..<5).map { context.make(entity, ["name": "\(entity) \(round) \($0)"]) }
                    }
                    try context.save()
                    for object in made {
                        trial.expect(seen.insert(object.objectID).inserted, "\(object.objectID) was given out twice")
                    }
                    for object in made.prefix(3) { context.delete(object) }
                    try context.save()
                }
            }
        },
        StoreRule("There is no existing object for the ID of one that was deleted (133000)") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            let id: NSManagedObjectID = try stack.run { context in
                let book = try context.object("Book", "Fiasco")
                let id = book.objectID
                context.delete(book)
                try context.save()
                return id
            }
            try stack.inNewContext { context in
                let error = trial.expectError("existingObject(with:) of a deleted object") {
                    _ = try context.existingObject(with: id)
                }
                trial.expectEqual(error?.code, NSManagedObjectReferentialIntegrityError, "the error's code")
            }
        },
    ]

    /// The IDs of a library's objects, by what tells these apart.
    private static func ids(_ context: NSManagedObjectContext) throws -> [String: NSManagedObjectID] {
        let names = ["Item", "Author", "Genre", "Shelf", "Chapter"]
        let objects = try names.flatMap { try context.all($0) }
        return Dictionary(objects.map { (key($0), $0.objectID) }) { first, _ in first }
    }

    private static func key(_ object: NSManagedObject) -> String { "\(object.entity.name ?? "") \(object.name)" }
}
