import CoreData

/// Keeps what the database has where the new object has nothing.
private final class FillingMergePolicy: NSMergePolicy, @unchecked Sendable {
    init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        for conflict in list {
            guard let databaseObject = conflict.databaseObject,
                let conflictingObject = conflict.conflictingObjects.first
            else {
                try super.resolve(constraintConflicts: list)
                return
            }
            for key in databaseObject.entity.attributesByName.keys where conflictingObject.value(forKey: key) == nil {
                conflictingObject.setValue(databaseObject.value(forKey: key), forKey: key)
            }
        }
        try super.resolve(constraintConflicts: list)
    }
}

/// Leaves to the database's object all keys that the new one hasn't set.
private final class ChangedKeysMergePolicy: NSMergePolicy, @unchecked Sendable {
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        for conflict in list {
            guard let databaseObject = conflict.databaseObject else {
                try super.resolve(constraintConflicts: list)
                return
            }
            let allKeys = databaseObject.entity.attributesByName.keys
            for conflictObject in conflict.conflictingObjects {
                let changedKeys = conflictObject.changedValues().keys
                for key in allKeys where !changedKeys.contains(key) {
                    conflictObject.setValue(databaseObject.value(forKey: key), forKey: key)
                }
            }
        }
        try super.resolve(constraintConflicts: list)
    }
}

/// The later review wins, whoever saves last.
private final class LatestWinsPolicy: NSMergePolicy, @unchecked Sendable {
    init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        for conflict in list {
            guard let persisted = conflict.persistedSnapshot ?? conflict.cachedSnapshot else { continue }
            let source = conflict.sourceObject
            let mine = source.value(forKey: "publishedAt") as? Date ?? .distantPast
            let theirs = persisted["publishedAt"] as? Date ?? .distantPast
            if theirs > mine {
                for (key, value) in persisted where source.entity.attributesByName[key] != nil {
                    source.setValue(value is NSNull ? nil : value, forKey: key)
                }
            }
        }
        try super.resolve(optimisticLockingConflicts: list)
    }
}

/// Prints conflicts and hands them on.
private final class DebugMergePolicy: NSMergePolicy, @unchecked Sendable {
    nonisolated(unsafe) var seen: [String] = []

    override func resolve(mergeConflicts list: [Any]) throws {
        seen.append("conflicts \(list.count)")
        try super.resolve(mergeConflicts: list)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        seen.append("constraints \(list.count)")
        try super.resolve(constraintConflicts: list)
    }
}

/// Merge policies and unique constraints.
@MainActor
func mergePolicyIdioms(_ suite: Suite) {
    /// A stack with one saved book.
    func library() throws -> (NSPersistentContainer, Book) {
        let container = PersistenceController().container
        let book = Book.make("Dune", pages: 600, in: container.viewContext)
        book.isbn = "978-0"
        book.cover = Data("cover".utf8)
        try container.viewContext.save()
        return (container, book)
    }

    /// What becomes of a book that another context has changed before this one saves.
    func conflict(_ policy: NSMergePolicy) throws -> (title: String?, pages: Int32) {
        let (container, book) = try library()
        let other = container.newBackgroundContext()
        let id = book.objectID
        container.viewContext.automaticallyMergesChangesFromParent = false
        try other.performAndWait {
            let same = try other.existingObject(with: id) as! Book
            same.title = "Theirs"
            same.pages = 700
            try other.save()
        }
        container.viewContext.mergePolicy = policy
        book.title = "Mine"
        try container.viewContext.save()
        let check = container.newBackgroundContext()
        return try check.performAndWait {
            let same = try check.existingObject(with: id) as! Book
            return (same.title, same.pages)
        }
    }

    suite("Property by property, the object's changes win over the store's") {
        let (title, pages) = try conflict(.mergeByPropertyObjectTrump)
        try expect(title, is: "Mine")
        try expect(pages, is: 700)
    }

    suite("Property by property, the store's changes win over the object's") {
        let (title, pages) = try conflict(.mergeByPropertyStoreTrump)
        try expect(title, is: "Theirs")
        try expect(pages, is: 700)
    }

    suite("Overwriting puts the whole object into the store") {
        let (title, pages) = try conflict(.overwrite)
        try expect(title, is: "Mine")
        try expect(pages, is: 600)
    }

    suite("Rolling back drops the object's changes") {
        let (title, pages) = try conflict(.rollback)
        try expect(title, is: "Theirs")
        try expect(pages, is: 700)
    }

    suite("The old names of the policies are the same objects") {
        try expect(NSErrorMergePolicy as AnyObject === NSMergePolicy.error)
        try expect(NSMergePolicy.error.mergeType == .errorMergePolicyType)
        try expect((NSOverwriteMergePolicy as? NSMergePolicy)?.mergeType == .overwriteMergePolicyType)
        try expect((NSRollbackMergePolicy as? NSMergePolicy)?.mergeType == .rollbackMergePolicyType)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        try expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        try expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyStoreTrumpMergePolicyType)
    }

    suite("An import with the same ISBN updates the book") {
        let (container, book) = try library()
        let context = container.viewContext
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let new = Book.make("Dune, revised", pages: 650, in: context)
        new.isbn = "978-0"
        try context.save()
        let books = try context.fetch(Book.fetchRequest() as NSFetchRequest<Book>)
        try expect(books.map(\.title), is: ["Dune, revised"])
        try expect(books[0].objectID, is: book.objectID)
    }

    suite("A policy of one's own keeps the cover that the new object hasn't") {
        let (container, _) = try library()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            context.mergePolicy = FillingMergePolicy()
            Book.make("Dune, revised", in: context).isbn = "978-0"
            try context.save()
            context.reset()
            let books = try context.fetch(Book.fetchRequest() as NSFetchRequest<Book>)
            try expect(books.map(\.title), is: ["Dune, revised"])
            try expect(books[0].cover, is: Data("cover".utf8))
        }
    }

    suite("A policy of one's own takes only the keys that were set") {
        let (container, _) = try library()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            context.mergePolicy = ChangedKeysMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            let new = Book(context: context)
            new.isbn = "978-0"
            new.rating = 5
            try context.save()
            context.reset()
            let books = try context.fetch(Book.fetchRequest() as NSFetchRequest<Book>)
            try expect(books.map(\.title), is: ["Dune"])
            try expect(books[0].rating, is: 5)
            try expect(books[0].pages, is: 600)
        }
    }

    suite("The latest change wins, whoever saves last") {
        let (container, book) = try library()
        let id = book.objectID
        container.viewContext.automaticallyMergesChangesFromParent = false
        let other = container.newBackgroundContext()
        try other.performAndWait {
            let same = try other.existingObject(with: id) as! Book
            same.publishedAt = Date(timeIntervalSince1970: 2_000)
            same.title = "Later"
            try other.save()
        }
        container.viewContext.mergePolicy = LatestWinsPolicy()
        book.publishedAt = Date(timeIntervalSince1970: 1_000)
        book.title = "Earlier"
        try container.viewContext.save()
        container.viewContext.refresh(book, mergeChanges: false)
        try expect(book.title, is: "Later")
    }

    suite("A policy that looks on sees constraints and conflicts") {
        let (container, book) = try library()
        let policy = DebugMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        container.viewContext.mergePolicy = policy
        Book.make("Copy", in: container.viewContext).isbn = "978-0"
        try container.viewContext.save()
        try expect(policy.seen.contains("constraints 1"), "\(policy.seen)")
        _ = book
    }

    suite("A merge conflict tells versions and what both sides have") {
        let (container, book) = try library()
        let id = book.objectID
        container.viewContext.automaticallyMergesChangesFromParent = false
        container.viewContext.mergePolicy = NSMergePolicy.error
        let other = container.newBackgroundContext()
        try other.performAndWait {
            (try other.existingObject(with: id) as! Book).title = "Theirs"
            try other.save()
        }
        let before = book.title
        book.title = "Mine"
        let error = try expectError { try container.viewContext.save() }
        try expect(error.code, is: NSManagedObjectMergeError)
        let conflict = try unwrap((error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])?.first)
        try expect(conflict.sourceObject === book)
        try expect(conflict.objectSnapshot?["title"] as? String == before && before != "Mine")
        try expect(conflict.sourceObject.changedValues()["title"] as? String, is: "Mine")
        try expect((conflict.persistedSnapshot ?? conflict.cachedSnapshot)?["title"] as? String, is: "Theirs")
        try expect(conflict.oldVersionNumber < conflict.newVersionNumber)
    }

    suite("A batch insert with a unique value updates by the context's policy") {
        let (container, book) = try library()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            let insert = NSBatchInsertRequest(
                entityName: "Book", objects: [["isbn": "978-0", "title": "New"], ["isbn": "978-1", "title": "Other"]])
            try context.execute(insert)
        }
        container.viewContext.refresh(book, mergeChanges: false)
        try expect(book.title, is: "New")
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 2)
    }

    suite("A deleted object that another context has changed is a conflict to be resolved") {
        let (container, book) = try library()
        let id = book.objectID
        container.viewContext.automaticallyMergesChangesFromParent = false
        let other = container.newBackgroundContext()
        try other.performAndWait {
            other.delete(try other.existingObject(with: id))
            try other.save()
        }
        book.title = "Mine"
        try expectError { try container.viewContext.save() }
        container.viewContext.rollback()
        container.viewContext.mergePolicy = NSMergePolicy.rollback
        book.title = "Mine again"
        try? container.viewContext.save()
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 0)
    }
}
