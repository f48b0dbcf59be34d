import CoreData
import Foundation

extension StoreRule {
    static let conflictRules: [StoreRule] = [
        StoreRule("A change over what another context has saved meanwhile is a conflict (133020)") { trial in
            try conflict(trial, policy: NSMergePolicy.error) { context, book in
                let error = trial.expectError("the second save") { try context.save() }
                trial.expectEqual(error?.code, NSManagedObjectMergeError, "the error's code")
                trial.expect(book.hasChanges, "the object should keep its change when the save fails")
                let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
                trial.expectEqual(conflicts?.count, 1, "the conflicts that the error tells of")
                trial.expectEqual(conflicts?.first?.sourceObject, book, "the object of the conflict")
            }
        },
        StoreRule("Merge policies resolve conflicts") { trial in
            let outcomes: [(String, NSMergePolicy, String)] = [
                ("object trumps store", .mergeByPropertyObjectTrump, "{name: \"Mine\", number: 50, pages: 10}"),
                ("store trumps object", .mergeByPropertyStoreTrump, "{name: \"Theirs\", number: 50, pages: 10}"),
                ("overwrite", .overwrite, "{name: \"Mine\", number: 50, pages: 281}"),
                ("roll back", .rollback, "{name: \"Theirs\", number: 1, pages: 10}"),
            ]
            for (name, policy, expected) in outcomes {
                try conflict(trial, policy: policy) { context, _ in
                    try context.save()
                    let coordinator = try trial.require(context.persistentStoreCoordinator, "coordinator")
                    let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                    fresh.persistentStoreCoordinator = coordinator
                    try fresh.performAndWait {
                        let found = try fresh.all("Book", "name IN {'Mine', 'Theirs'}").first
                        let values = found?.dictionaryWithValues(forKeys: ["name", "number", "pages"])
                        trial.expectEqual(SampleValue.text(values), expected, name)
                    }
                }
            }
        },
        StoreRule("A change of an object that another context has deleted is a conflict") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            try stack.run { context in
                let book = try context.object("Book", "Tehanu")
                try stack.inNewContext { other in
                    other.delete(try other.object("Book", "Tehanu"))
                    try other.save()
                }
                book.setValue(1, forKey: "pages")
                let error = trial.expectError("the save of a deleted object") { try context.save() }
                trial.expectEqual(error?.code, NSManagedObjectMergeError, "the error's code")
            }
        },
        StoreRule("A deletion of an object that another context has changed is a conflict") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            try stack.run { context in
                let book = try context.object("Book", "Tehanu")
                try stack.inNewContext { other in
                    try other.object("Book", "Tehanu").setValue(5, forKey: "pages")
                    try other.save()
                }
                context.delete(book)
                let error = trial.expectError("the save of the deletion") { try context.save() }
                trial.expectEqual(error?.code, NSManagedObjectMergeError, "the error's code")
            }
            let pages = try stack.inNewContext { try $0.object("Book", "Tehanu").value(forKey: "pages") }
            trial.expectEqual(SampleValue.text(pages), "5", "pages")
        },
        StoreRule("Changes after a conflict was resolved are saved like others") { trial in
            try conflict(trial, policy: .mergeByPropertyObjectTrump) { context, book in
                for pages in 1...3 {
                    book.setValue(pages, forKey: "pages")
                    try context.save()
                    // What the context has saved itself is no conflict.
                    context.mergePolicy = NSMergePolicy.error
                }
                let coordinator = try trial.require(context.persistentStoreCoordinator, "coordinator")
                let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                fresh.persistentStoreCoordinator = coordinator
                let pages = try fresh.performAndWait { try fresh.object("Book", "Mine").value(forKey: "pages") }
                trial.expectEqual(SampleValue.text(pages), "3", "pages")
            }
        },
        StoreRule("A child context's changes reach the store by its parent") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            try stack.run { context in
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = context
                try child.performAndWait {
                    child.make("Book", ["name": "Lavinia", "author": try child.object("Author", "Ursula")])
                    child.delete(try child.object("Book", "Rocannon"))
                    try child.save()
                }
                try context.save()
            }
            let books = try stack.inNewContext { try $0.object("Author", "Ursula").names("books") }
            trial.expectEqual(books, ["Lavinia", "Tehanu"], "the author's books")
        },
        StoreRule("What one context saves another one sees when it refreshes") { trial in
            let stack = try TrialLibrary.stack(in: trial)
            try stack.run { context in
                let book = try context.object("Book", "Tehanu")
                let author = try context.object("Author", "Ursula")
                _ = author.names("books")
                try stack.inNewContext { other in
                    try other.object("Book", "Tehanu").setValue(5, forKey: "pages")
                    let author = try other.object("Author", "Ursula")
                    other.make("Book", ["name": "Lavinia", "author": author])
                    try other.save()
                }
                trial.expectEqual(SampleValue.text(book.value(forKey: "pages")), "281", "pages before the refresh")
                context.refreshAllObjects()
                trial.expectEqual(SampleValue.text(book.value(forKey: "pages")), "5", "pages after the refresh")
                trial.expectEqual(author.names("books"), ["Lavinia", "Rocannon", "Tehanu"], "books after the refresh")
            }
        },
    ]

    /// Two contexts change one book: one saves, and the other is about to.
    private static func conflict(
        _ trial: StoreTrial, policy: NSMergePolicy, _ body: (NSManagedObjectContext, NSManagedObject) throws -> Void
    ) throws {
        let stack = try trial.open(trial.storeURL(UUID().uuidString))
        try stack.inNewContext { try TrialLibrary.fill($0) }
        try stack.run { context in
            context.mergePolicy = policy
            let book = try context.object("Book", "Tehanu")
            _ = book.value(forKey: "pages")
            try stack.inNewContext { other in
                let same = try other.object("Book", "Tehanu")
                same.setValue("Theirs", forKey: "name")
                same.setValue(10, forKey: "pages")
                try other.save()
            }
            book.setValue("Mine", forKey: "name")
            book.setValue(50, forKey: "number")
            try body(context, book)
        }
    }
}
