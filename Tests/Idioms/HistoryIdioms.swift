import CoreData

/// The history processor that an app and its extensions share, as articles build it: a token in a file for each target, and
/// transactions of others only.
private final class HistoryTracker {
    let container: NSPersistentContainer
    let author: String

    init(author: String, file: String = "Shared") throws {
        self.author = author
        container = NSPersistentContainer(name: "Library")
        let description = NSPersistentStoreDescription(
            url: FileManager.default.temporaryDirectory.appendingPathComponent("\(file).sqlite"))
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        container.viewContext.transactionAuthor = author
        container.viewContext.name = "view"
        container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }

    private lazy var tokenFile: URL = {
        let url = NSPersistentContainer.defaultDirectoryURL().appendingPathComponent(
            "HistoryOf\(author)", isDirectory: true)
        if !FileManager.default.fileExists(atPath: url.path) {
            try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true, attributes: nil)
        }
        return url.appendingPathComponent("token.data", isDirectory: false)
    }()

    var lastToken: NSPersistentHistoryToken? {
        get {
            guard let data = try? Data(contentsOf: tokenFile) else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        }
        set {
            guard let newValue,
                let data = try? NSKeyedArchiver.archivedData(withRootObject: newValue, requiringSecureCoding: true)
            else { return }
            try? data.write(to: tokenFile)
        }
    }

    /// Merges what others did, and gives their transactions.
    func process() throws -> [NSPersistentHistoryTransaction] {
        let context = container.newBackgroundContext()
        context.name = "history"
        return try context.performAndWait {
            let fetchRequest = NSPersistentHistoryTransaction.fetchRequest!
            fetchRequest.predicate = NSPredicate(format: "author != %@", author)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
            request.fetchRequest = fetchRequest
            let result = try context.execute(request) as? NSPersistentHistoryResult
            guard let transactions = result?.result as? [NSPersistentHistoryTransaction], !transactions.isEmpty
            else { return [] }
            let viewContext = container.viewContext
            for transaction in transactions {
                guard let userInfo = transaction.objectIDNotification().userInfo else { continue }
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: userInfo, into: [viewContext])
            }
            lastToken = transactions.last?.token
            return transactions
        }
    }

    @discardableResult
    func add(_ title: String) throws -> Book {
        let book = Book.make(title, in: container.viewContext)
        try container.viewContext.save()
        return book
    }

    func transactions(_ configure: (NSPersistentHistoryChangeRequest) -> Void = { _ in }) throws
        -> [NSPersistentHistoryTransaction]
    {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        configure(request)
        let result = try container.viewContext.execute(request) as! NSPersistentHistoryResult
        return result.result as? [NSPersistentHistoryTransaction] ?? []
    }
}

/// Persistent history, as articles and Apple's samples process it.
@MainActor
func historyIdioms(_ suite: Suite) {
    suite("An app merges what its extension saved, and only once") {
        let (app, share) = (try HistoryTracker(author: "app"), try HistoryTracker(author: "share"))
        try app.add("Own")
        try share.add("Shared")
        let found = try app.process()
        try expect(found.map(\.author), is: ["share"])
        try expect(found.first?.contextName, is: "view")
        try expect(try app.process().isEmpty)
        try share.add("Another")
        try expect(try app.process().count, is: 1)
    }

    suite("A merged update is seen by an object that is in use") {
        let (app, share) = (try HistoryTracker(author: "app"), try HistoryTracker(author: "share"))
        let book = try app.add("Old")
        let same = try share.container.viewContext.fetch(Book.fetchRequest() as NSFetchRequest<Book>)[0]
        same.title = "New"
        try share.container.viewContext.save()
        try expect(book.title, is: "Old")
        _ = try app.process()
        try expect(book.title, is: "New")
    }

    suite("Every change says what changed") {
        let app = try HistoryTracker(author: "app")
        let book = try app.add("Dune")
        book.title = "Dune Messiah"
        book.pages = 300
        try app.container.viewContext.save()
        app.container.viewContext.delete(book)
        try app.container.viewContext.save()
        let changes = try app.transactions().flatMap { $0.changes ?? [] }
        try expect(changes.map(\.changeType), is: [.insert, .update, .delete])
        try expect(changes[1].updatedProperties.map { Set($0.map(\.name)) }, is: ["title", "pages"])
        try expect(changes.allSatisfy { $0.changedObjectID.entity.name == "Book" })
        try expect(changes.allSatisfy { $0.transaction?.author == "app" })
        try expect(Set(changes.map(\.changeID)).count, is: 3)
    }

    suite("A tombstone keeps what the model says") {
        let app = try HistoryTracker(author: "app")
        let book = try app.add("Dune")
        book.isbn = "978-0"
        try app.container.viewContext.save()
        app.container.viewContext.delete(book)
        try app.container.viewContext.save()
        let change = try app.transactions().last?.changes?.last
        try expect(change?.tombstone?["isbn"] as? String, is: "978-0")
        try expect(change?.tombstone?["title"] == nil)
    }

    suite("Transactions know their store, number, process and time") {
        let app = try HistoryTracker(author: "app")
        let start = Date()
        try app.add("a")
        try app.add("b")
        let transactions = try app.transactions()
        try expect(transactions.map(\.transactionNumber), is: transactions.map(\.transactionNumber).sorted())
        let store = app.container.persistentStoreCoordinator.persistentStores[0]
        try expect(transactions.allSatisfy { $0.storeID == store.identifier })
        try expect(transactions.allSatisfy { !$0.processID.isEmpty })
        try expect(transactions.allSatisfy { abs($0.timestamp.timeIntervalSince(start)) < 60 })
        let token = app.container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: [store])
        try expect(transactions.last?.token, is: token)
    }

    suite("Old history is deleted by date and by token") {
        let app = try HistoryTracker(author: "app")
        try app.add("a")
        try app.add("b")
        let first = try app.transactions()[0]
        let context = app.container.newBackgroundContext()
        try context.performAndWait {
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: first.token))
        }
        try expect(try app.transactions().count <= 2)
        let weekAgo = Calendar.current.date(byAdding: .day, value: -7, to: Date())!
        try app.container.viewContext.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: weekAgo))
        try expect(try app.transactions().last?.author, is: "app")
        try app.container.viewContext.execute(
            NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        try expect(try app.transactions().count, is: 0)
    }

    suite("A token that is older than the history is error 134301") {
        let app = try HistoryTracker(author: "app")
        try app.add("a")
        let token = try app.transactions()[0].token
        try app.add("b")
        try app.add("c")
        let last = try app.transactions().last!
        try app.container.viewContext.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: last))
        do {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            _ = try app.container.viewContext.execute(request)
            try expect(false, "expected an error")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try expect(error.code, is: NSPersistentHistoryTokenExpiredError)
        }
    }

    suite("History is filtered by entity, by property and by kind") {
        let app = try HistoryTracker(author: "app")
        let context = app.container.viewContext
        let book = try app.add("Dune")
        _ = Author("Herbert", in: context)
        try context.save()
        book.title = "Messiah"
        try context.save()
        let changes = NSPersistentHistoryChange.fetchRequest!
        let entity = NSPersistentHistoryChange.entityDescription(with: context)
        try expect(entity?.name != nil)
        changes.predicate = NSPredicate(
            format: "%K == %d", "changeType", NSPersistentHistoryChangeType.update.rawValue)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: changes)
        request.resultType = .changesOnly
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let found = try unwrap(result?.result as? [NSPersistentHistoryChange])
        try expect(found.map(\.changeType), is: [.update])
        let perObject = NSPersistentHistoryChange.fetchRequest!
        perObject.predicate = NSPredicate(format: "%K = %@", "changedObjectID", book.objectID)
        let forBook = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: perObject)
        forBook.resultType = .changesOnly
        let changesOfBook = try context.execute(forBook) as? NSPersistentHistoryResult
        try expect((changesOfBook?.result as? [NSPersistentHistoryChange])?.count, is: 2)
    }

    suite("Results are IDs, a count or a status when asked") {
        let app = try HistoryTracker(author: "app")
        try app.add("a")
        try app.add("b")
        func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            request.resultType = type
            return (try app.container.viewContext.execute(request) as? NSPersistentHistoryResult)?.result
        }
        try expect((try result(.objectIDs) as? [NSManagedObjectID])?.count, is: 2)
        try expect((try result(.transactionsOnly) as? [NSPersistentHistoryTransaction])?.first?.changes == nil)
        try expect(
            (try result(.transactionsAndChanges) as? [NSPersistentHistoryTransaction])?.first?.changes?.count, is: 1)
        try expect(try result(.count) as? Int, is: 2)
        try expect(try result(.statusOnly) as? Bool, is: true)
    }

    suite("A remote change is told with the store, its URL and a token") {
        let (app, share) = (try HistoryTracker(author: "app"), try HistoryTracker(author: "share"))
        nonisolated(unsafe) var info: [AnyHashable: Any] = [:]
        let lock = NSLock()
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: app.container.persistentStoreCoordinator, queue: nil
        ) { note in
            lock.lock()
            info = note.userInfo ?? [:]
            lock.unlock()
        }
        try share.add("From outside")
        let deadline = Date().addingTimeInterval(10)
        while lock.withLock({ info.isEmpty }), Date() < deadline {
            RunLoop.main.run(until: Date().addingTimeInterval(0.02))
        }
        let store = app.container.persistentStoreCoordinator.persistentStores[0]
        try expect(info[NSStoreUUIDKey] as? String, is: store.identifier)
        try expect((info[NSPersistentStoreURLKey] as? URL)?.lastPathComponent, is: "Shared.sqlite")
        try expect(info[NSPersistentHistoryTokenKey] is NSPersistentHistoryToken)
        NotificationCenter.default.removeObserver(token)
    }

    suite("A batch insert is in the history and reaches the view context by it") {
        let app = try HistoryTracker(author: "app")
        let background = app.container.newBackgroundContext()
        background.transactionAuthor = "import"
        try background.performAndWait {
            let insert = NSBatchInsertRequest(entityName: "Book", objects: [["title": "a"], ["title": "b"]])
            insert.resultType = .statusOnly
            let result = try background.execute(insert) as? NSBatchInsertResult
            try expect(result?.result as? Bool, is: true)
        }
        let found = try app.process()
        try expect(found.map(\.author), is: ["import"])
        try expect(found.first?.changes?.count, is: 2)
        try expect(try app.container.viewContext.count(for: Book.fetchRequest()), is: 2)
    }

    suite("Changes of interest are picked from the userInfo of a transaction") {
        let (app, share) = (try HistoryTracker(author: "app"), try HistoryTracker(author: "share"))
        try share.add("Dune")
        _ = Author("Herbert", in: share.container.viewContext)
        try share.container.viewContext.save()
        let relevant = try app.process().filter { transaction in
            transaction.changes?.contains { $0.changedObjectID.entity.name == Author.entity().name } ?? false
        }
        try expect(relevant.count, is: 1)
        let note = relevant[0].objectIDNotification()
        try expect(note.name == .NSManagedObjectContextDidSaveObjectIDs || !note.name.rawValue.isEmpty)
        let ids = note.userInfo?[NSInsertedObjectIDsKey] as? Set<NSManagedObjectID>
        try expect(ids?.count, is: 1)
    }
}
