import CoreData

/// A quake of the feed, with the dictionary that batch inserts take, as in Apple's sample.
private struct QuakeProperties: Decodable {
    let code: String
    let place: String
    let pages: Int

    var dictionaryValue: [String: Any] { ["isbn": code, "title": place, "pages": pages] }
}

private final class LibraryProvider {
    enum Failure: Error { case batchInsertError, batchDeleteError }

    let container = PersistenceController().container

    private func newTaskContext() -> NSManagedObjectContext {
        let taskContext = container.newBackgroundContext()
        taskContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        taskContext.undoManager = nil
        return taskContext
    }

    func importQuakes(from propertiesList: [QuakeProperties]) async throws {
        guard !propertiesList.isEmpty else { return }
        let taskContext = newTaskContext()
        taskContext.name = "importContext"
        taskContext.transactionAuthor = "importQuakes"
        try await taskContext.perform {
            let batchInsertRequest = self.newBatchInsertRequest(with: propertiesList)
            if let fetchResult = try? taskContext.execute(batchInsertRequest),
                let batchInsertResult = fetchResult as? NSBatchInsertResult,
                let success = batchInsertResult.result as? Bool, success
            {
                return
            }
            throw Failure.batchInsertError
        }
    }

    private func newBatchInsertRequest(with propertyList: [QuakeProperties]) -> NSBatchInsertRequest {
        var index = 0
        let total = propertyList.count
        let batchInsertRequest = NSBatchInsertRequest(
            entity: Book.entity(),
            dictionaryHandler: { dictionary in
                guard index < total else { return true }
                dictionary.addEntries(from: propertyList[index].dictionaryValue)
                index += 1
                return false
            })
        return batchInsertRequest
    }

    func deleteQuakes(identifiedBy objectIDs: [NSManagedObjectID]) async throws {
        let taskContext = newTaskContext()
        try await taskContext.perform {
            let batchDeleteRequest = NSBatchDeleteRequest(objectIDs: objectIDs)
            batchDeleteRequest.resultType = .resultTypeStatusOnly
            guard let fetchResult = try? taskContext.execute(batchDeleteRequest),
                let batchDeleteResult = fetchResult as? NSBatchDeleteResult,
                let success = batchDeleteResult.result as? Bool, success
            else { throw Failure.batchDeleteError }
        }
    }
}

/// Imports and batches.
@MainActor
func importIdioms(_ suite: Suite) {
    suite.waiting("The sample's provider imports a feed and deletes from it") {
        let provider = LibraryProvider()
        let json = (0..<50).map { #"{"code": "978-\#($0)", "place": "Place \#($0)", "pages": \#($0 + 1)}"# }
        let list = try JSONDecoder().decode([QuakeProperties].self, from: Data("[\(json.joined(separator: ","))]".utf8))
        try await provider.importQuakes(from: list)
        try await provider.importQuakes(from: list)
        let context = provider.container.viewContext
        try expect(try context.count(for: Book.fetchRequest()), is: 50)
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "pages <= 10")
        try await provider.deleteQuakes(identifiedBy: context.fetch(request).map(\.objectID))
        try expect(try context.count(for: Book.fetchRequest()), is: 40)
    }

    suite("A handler fills one dictionary after the other by subscripts") {
        let context = PersistenceController().container.viewContext
        var count = 0
        let insert = NSBatchInsertRequest(
            entityName: "Book",
            dictionaryHandler: { (dictionary: NSMutableDictionary) -> Bool in
                if count == 3 { return true }
                dictionary["title"] = "T\(count)"
                dictionary["pages"] = count + 1
                count += 1
                return false
            })
        insert.resultType = .objectIDs
        let result = try context.execute(insert) as? NSBatchInsertResult
        let ids = try unwrap(result?.result as? [NSManagedObjectID])
        try expect(ids.count, is: 3)
        try expect(ids.allSatisfy { !$0.isTemporaryID })
        let first = try context.existingObject(with: ids[0]) as? Book
        try expect(first?.title?.hasPrefix("T"), is: true)
        try expect(first?.isAvailable, is: true)
    }

    suite("Objects of a batch insert reach the view context by their IDs") {
        let container = PersistenceController().container
        let delegate = CountingDelegate()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil, cacheName: nil)
        results.delegate = delegate
        try results.performFetch()
        let insert = NSBatchInsertRequest(entityName: "Book", objects: [["title": "a"], ["title": "b"]])
        insert.resultType = .objectIDs
        let result = try container.viewContext.execute(insert) as! NSBatchInsertResult
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectIDsKey: result.result as! [NSManagedObjectID]],
            into: [container.viewContext])
        try expect(results.fetchedObjects?.map(\.title), is: ["a", "b"])
        try expect(delegate.count > 0)
    }

    suite("A batch update's IDs refresh the objects in use") {
        let context = PersistenceController().container.viewContext
        let book = Book.make("Dune", pages: 10, in: context)
        try context.save()
        let update = NSBatchUpdateRequest(entity: Book.entity())
        update.propertiesToUpdate = ["isAvailable": false, "rating": NSNumber(value: 3)]
        update.resultType = .updatedObjectIDsResultType
        let result = try context.execute(update) as? NSBatchUpdateResult
        let ids = try unwrap(result?.result as? [NSManagedObjectID])
        try expect(ids, is: [book.objectID])
        try expect(book.isAvailable, is: true)
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
        try expect(book.isAvailable, is: false)
        try expect(book.rating, is: 3)
    }

    suite("A batch update without IDs is seen after each object's refresh") {
        let context = PersistenceController().container.viewContext
        let book = Book.make("Dune", in: context)
        try context.save()
        let update = NSBatchUpdateRequest(entityName: "Book")
        update.predicate = NSPredicate(format: "title BEGINSWITH[cd] %@", "d")
        update.propertiesToUpdate = [
            "title": NSExpression(forConstantValue: "Updated"), "publishedAt": Date(timeIntervalSince1970: 9),
            "isbn": NSNull(),
        ]
        update.includesSubentities = true
        update.resultType = .statusOnlyResultType
        try expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Bool, is: true)
        for object in context.registeredObjects { context.refresh(object, mergeChanges: false) }
        try expect(book.title, is: "Updated")
        try expect(book.publishedAt, is: Date(timeIntervalSince1970: 9))
    }

    suite("A batch delete counts, and a limit restricts it") {
        let context = PersistenceController().container.viewContext
        for number in 0..<10 { _ = Book.make("B\(number)", in: context) }
        try context.save()
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.fetchLimit = 4
        let delete = NSBatchDeleteRequest(fetchRequest: request)
        delete.resultType = .resultTypeCount
        let result = try context.execute(delete) as? NSBatchDeleteResult
        try expect(result?.result as? Int, is: 4)
        try expect(try context.count(for: Book.fetchRequest()), is: 6)
    }

    suite("A batch delete follows the delete rules of the store") {
        let context = PersistenceController().container.viewContext
        let book = Book.make("Dune", in: context)
        for _ in 0..<2 { Loan(context: context).book = book }
        try context.save()
        let request: NSFetchRequest<NSFetchRequestResult> = Book.fetchRequest()
        try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        context.reset()
        try expect(try context.count(for: Loan.fetchRequest()), is: 0)
    }

    suite("Executed by the coordinator, a batch has the same result") {
        let container = PersistenceController().container
        _ = Book.make("Dune", in: container.viewContext)
        try container.viewContext.save()
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Book"))
        try container.persistentStoreCoordinator.execute(delete, with: container.viewContext)
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 0)
    }

    suite("A batch in a store in memory is an error that can be caught") {
        let context = PersistenceController(inMemory: true).container.viewContext
        _ = Book.make("Dune", in: context)
        try context.save()
        let container = NSPersistentContainer(
            name: "M", managedObjectModel: context.persistentStoreCoordinator!.managedObjectModel)
        container.persistentStoreDescriptions[0].type = NSInMemoryStoreType
        container.loadPersistentStores { _, error in if let error { fatalError("\(error)") } }
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Book"))
        let error = try expectError { try container.viewContext.execute(delete) }
        try expect(error.domain, is: NSCocoaErrorDomain)
    }

    suite("A large import saves and resets every so many objects") {
        let container = PersistenceController().container
        let context = container.newBackgroundContext()
        context.undoManager = nil
        let progress = Progress(totalUnitCount: 500)
        try context.performAndWait {
            for number in 1...500 {
                let book = Book(context: context)
                book.title = "Book \(number)"
                book.isbn = "978-\(number)"
                if number.isMultiple(of: 100) {
                    try context.save()
                    context.reset()
                    progress.completedUnitCount = Int64(number)
                }
            }
            try expect(context.registeredObjects.isEmpty)
        }
        try expect(progress.fractionCompleted, is: 1)
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 500)
    }

    suite("Relationships are wired by IDs in a second pass") {
        let container = PersistenceController().container
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let insert = NSBatchInsertRequest(
                entityName: "Book", objects: (0..<6).map { ["title": "T\($0)", "isbn": "978-\($0)"] })
            try context.execute(insert)
            let author = Author("Herbert", in: context)
            let request: NSFetchRequest<Book> = Book.fetchRequest()
            request.predicate = NSPredicate(format: "isbn IN %@", ["978-1", "978-3"])
            author.books = NSSet(array: try context.fetch(request))
            try context.save()
        }
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "author.name == %@", "Herbert")
        try expect(try container.viewContext.count(for: request), is: 2)
    }

    suite("What was removed on the server is deleted by NOT IN") {
        let context = PersistenceController().container.viewContext
        for number in 0..<5 { Book.make("T", in: context).isbn = "978-\(number)" }
        try context.save()
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
        request.predicate = NSPredicate(format: "NOT (isbn IN %@)", ["978-0", "978-4"])
        let delete = NSBatchDeleteRequest(fetchRequest: request)
        delete.resultType = .resultTypeObjectIDs
        let result = try context.execute(delete) as! NSBatchDeleteResult
        let changes: [AnyHashable: Any] = [NSDeletedObjectIDsKey: result.result as! [NSManagedObjectID]]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
        try expect(try context.count(for: Book.fetchRequest()), is: 2)
        try expect(context.registeredObjects.filter { !$0.isFault }.allSatisfy { ($0 as? Book)?.isbn != "978-1" })
    }
}

private final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var count = 0
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { count += 1 }
}
