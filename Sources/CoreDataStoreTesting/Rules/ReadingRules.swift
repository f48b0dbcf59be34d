import CoreData
import Foundation

extension StoreRule {
    /// How results are read, which must not change what they are.
    static let readingRules: [StoreRule] = [
        StoreRule("However a fetch has its objects read, they are the same objects with the same values") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            let ways: [(String, (NSFetchRequest<NSManagedObject>) -> Void)] = [
                ("no faults", { $0.returnsObjectsAsFaults = false }),
                ("no values", { $0.includesPropertyValues = false }),
                ("batches of two", { $0.fetchBatchSize = 2 }),
                ("relationships read ahead", { $0.relationshipKeyPathsForPrefetching = ["author", "genres"] }),
                (
                    "related objects of related objects read ahead",
                    { $0.relationshipKeyPathsForPrefetching = ["author.books", "chapters"] }
                ),
                ("refreshed", { $0.shouldRefreshRefetchedObjects = true }),
                ("what is saved only", { $0.includesPendingChanges = false }),
            ]
            let expected = try stack.inNewContext { try books(in: $0) { _ in } }
            trial.expectEqual(expected.count, 6, "books")
            for (name, way) in ways {
                let found = try stack.inNewContext { try books(in: $0, way) }
                trial.expectEqual(found, expected, name)
            }
        },
        StoreRule("A fetch that is to refresh what is known does, and another doesn't") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            try stack.run { context in
                let book = try context.object("Book", "Tehanu")
                try stack.inNewContext { other in
                    try other.object("Book", "Tehanu").setValue(5, forKey: "pages")
                    try other.save()
                }
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                _ = try context.fetch(request)
                trial.expectEqual(SampleValue.text(book.value(forKey: "pages")), "281", "pages after a fetch")
                request.shouldRefreshRefetchedObjects = true
                _ = try context.fetch(request)
                trial.expectEqual(SampleValue.text(book.value(forKey: "pages")), "5", "pages after one that refreshes")
            }
        },
        StoreRule("A fetch may leave out what isn't saved") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                context.make("Genre", ["name": "New"])
                context.delete(try context.object("Genre", "Essay"))
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Genre")
                request.resultType = .managedObjectIDResultType
                request.includesPendingChanges = false
                trial.expectEqual(try context.fetch(request).count, 3, "genres that the store has")
            }
        },
        StoreRule("Dictionaries come in order, and limit and offset cut them") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                let request = NSFetchRequest<NSDictionary>(entityName: "Book")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["name"]
                request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: false)]
                (request.fetchOffset, request.fetchLimit) = (1, 3)
                let names = try context.fetch(request).map { ($0 as? [String: Any])?["name"] as? String ?? "?" }
                trial.expectEqual(names, ["Tehanu", "Kindred", "Solaris"], "the second to the fourth longest book")
            }
        },
        StoreRule("A key that no property has is an error, in predicates and in dictionaries") { trial in
            try TrialLibrary.stack(in: trial).inNewContext { context in
                trial.expectError("a predicate over a key that there isn't") {
                    _ = try context.all("Book", "author.colour == 'red'")
                }
                trial.expectError("a dictionary of a key that there isn't") {
                    let request = NSFetchRequest<NSDictionary>(entityName: "Book")
                    request.resultType = .dictionaryResultType
                    request.propertiesToFetch = ["colour"]
                    _ = try context.fetch(request)
                }
            }
        },
        StoreRule("More than a hundred objects, and what leads from one to another, are all there") { trial in
            let stack = try trial.open()
            try stack.run { context in
                let authors = (0..<24).map { context.make("Author", ["name": "Author \($0)"]) }
                for number in 0..<96 {
                    context.make("Book", ["name": "Book \(number)", "number": number, "author": authors[number % 24]])
                }
                for (number, author) in authors.enumerated() { author.setValue(authors[number / 2], forKey: "mentor") }
                try context.save()
            }
            try trial.reopened(stack) { context in
                let books = try context.all("Book", sort: "number")
                trial.expectEqual(books.map(\.name), (0..<96).map { "Book \($0)" }, "books by number")
                let strangers = books.enumerated().filter { $1.names("author") != ["Author \($0 % 24)"] }
                trial.expectEqual(strangers.map(\.element.name), [], "books with another author")
                let authors = try context.all("Author")
                trial.expect(authors.allSatisfy { $0.names("books").count == 4 }, "each author should have 4 books")
                trial.expectEqual(authors.reduce(0) { $0 + $1.names("pupils").count }, 24, "pupils")
            }
        },
    ]

    /// A line for each book, with its author and its genres.
    private static func books(
        in context: NSManagedObjectContext, _ configure: (NSFetchRequest<NSManagedObject>) -> Void
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        configure(request)
        return try context.fetch(request).map { book in
            "\(book.name) \(SampleValue.text(book.value(forKey: "pages"))) \(book.names("author")) "
                + "\(book.names("genres")) \(book.names("chapters"))"
        }
    }
}
