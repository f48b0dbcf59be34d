import CoreData
import Foundation
import Testing

@Suite("What else the guide \"Implementing an Incremental Store\" promises")
struct LedgerStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        NSPersistentStoreCoordinator.registerStoreClass(LedgerStore.self, forStoreType: LedgerStore.storeType)
    }

    private func open(_ url: URL?, options: [AnyHashable: Any]? = nil) throws -> AtomicStack {
        try AtomicStack(url, type: LedgerStore.storeType, model: WarehouseStack.model(), options: options)
    }

    @Test("With a nil URL a store is made, and works; its identifier may be of any type")
    func noURL() throws {
        let stack = try open(nil)
        let store = try #require(stack.store as? LedgerStore)
        #expect(store.calls == ["init", "loadMetadata", "didAdd"])
        #expect(store.metadata[NSStoreUUIDKey] as? UUID == LedgerStore.identifier)
        #expect(store.identifier?.isEmpty == false)
        let author = stack.context.make("Author", ["name": "Ursula"])
        stack.context.makeBook("Tehanu", ["author": author])
        try stack.context.save()
        #expect(try stack.context.all("Book", "author.name == 'Ursula'").map { $0.text("title") } == ["Tehanu"])
        #expect(author.objectID.uriRepresentation().scheme == "x-coredata")
    }

    @Test("A file of zero length: the same calls as for a new store, and the reservation goes with the store")
    func zeroLengthFile() throws {
        let url = folder.url.appendingPathComponent("reservation")
        try Data().write(to: url)
        let stack = try open(url)
        let store = try #require(stack.store as? LedgerStore)
        #expect(store.calls == ["init", "loadMetadata", "didAdd"])
        try stack.close()
        #expect(store.calls == ["init", "loadMetadata", "didAdd", "willRemove"])
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("A batch request is answered with what its result type asks for, and the context gets Apple's result")
    func batchRequests() throws {
        let stack = try open(nil)
        let store = try #require(stack.store as? LedgerStore)
        stack.context.make("Author", ["name": "Ursula"])
        try stack.context.save()
        let id = try #require(stack.context.all("Author").first).objectID
        store.answer = { request in
            switch request {
            case let request as NSBatchInsertRequest: request.resultType == .count ? 2 as Any : true as Any
            case let request as NSBatchUpdateRequest:
                request.resultType == .updatedObjectIDsResultType ? [id] as Any : "nonsense" as Any
            default: throw CocoaError(.persistentStoreUnsupportedRequestType)
            }
        }
        let insert = NSBatchInsertRequest(entityName: "Author", objects: [["name": "A"], ["name": "B"]])
        insert.resultType = .count
        #expect((try stack.context.execute(insert) as? NSBatchInsertResult)?.result as? Int == 2)
        insert.resultType = .statusOnly
        #expect((try stack.context.execute(insert) as? NSBatchInsertResult)?.result as? Bool == true)
        let update = NSBatchUpdateRequest(entityName: "Author")
        update.propertiesToUpdate = ["name": "C"]
        update.resultType = .updatedObjectIDsResultType
        #expect((try stack.context.execute(update) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] == [id])
        update.resultType = .updatedObjectsCountResultType
        let nonsense = #expect(throws: NSError.self) { try stack.context.execute(update) }
        #expect(nonsense?.localizedDescription.contains("NSBatchUpdateRequest") == true)
        let delete = NSBatchDeleteRequest(objectIDs: [id])
        let refusal = #expect(throws: NSError.self) { try stack.context.execute(delete) }
        #expect(refusal?.code == NSPersistentStoreUnsupportedRequestTypeError)
    }

    @Test("A store that keeps no history is passed over where another one does, and isn't asked alone")
    func history() throws {
        let model = try WarehouseStack.model()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: LedgerStore.storeType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)
        context.performAndWait {
            let error = #expect(throws: NSError.self) { try context.execute(request) }
            #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
        }
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent("history"),
            options: [NSPersistentHistoryTrackingKey: true])
        try context.performAndWait {
            let result = try context.execute(request) as? NSPersistentHistoryResult
            #expect((result?.result as? [NSPersistentHistoryTransaction])?.isEmpty == true)
        }
    }

    @Test("A store that keeps a history of its own is asked for it, and the framework applies the rest of the request")
    func ownHistory() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try WarehouseStack.model())
        let added = try coordinator.addPersistentStore(
            ofType: LedgerStore.storeType, configurationName: nil, at: nil,
            options: [NSPersistentHistoryTrackingKey: true])
        let store = try #require(added as? LedgerStore)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let author = context.make("Author", ["name": "A"])
            try context.save()
            var kept = (1...3).map { number in
                let change = NSPersistentHistoryChange(
                    changeID: Int64(number), changedObjectID: author.objectID,
                    changeType: number == 1 ? .insert : .update)
                return NSPersistentHistoryTransaction(
                    number: Int64(number), timestamp: Date(timeIntervalSinceReferenceDate: Double(number)),
                    store: store,
                    changes: [change], author: number == 2 ? "second" : "other")
            }
            store.answer = { request in
                guard let request = request as? NSPersistentHistoryChangeRequest else { return [] }
                guard request.isDeletion else { return kept.filter(request.selects) }
                let count = kept.count
                kept.removeAll(where: request.selects)
                return NSNumber(value: count - kept.count)
            }
            func read(_ request: NSPersistentHistoryChangeRequest) throws -> [Int64] {
                let result = try context.execute(request) as? NSPersistentHistoryResult
                return (result?.result as? [NSPersistentHistoryTransaction] ?? []).map(\.transactionNumber)
            }
            #expect(try read(.fetchHistory(after: Date.distantPast)) == [1, 2, 3])
            #expect(try read(.fetchHistory(after: Date(timeIntervalSinceReferenceDate: 2))) == [3])
            #expect(try read(.fetchHistory(after: kept[0].token)) == [2, 3])
            let selection = NSFetchRequest<NSFetchRequestResult>()
            selection.entity = NSPersistentHistoryTransaction.entityDescription(with: context)
            selection.predicate = NSPredicate(format: "author == %@", "second")
            #expect(try read(.fetchHistory(withFetch: selection)) == [2])
            let objects = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            objects.resultType = .objectIDs
            let ids = (try context.execute(objects) as? NSPersistentHistoryResult)?.result as? [NSManagedObjectID]
            #expect(ids == [author.objectID])
            #expect(kept[1].changes?.first?.transaction === kept[1])
            let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: kept[2])
            deletion.resultType = .count
            #expect((try context.execute(deletion) as? NSPersistentHistoryResult)?.result as? Int == 2)
            #expect(kept.map(\.transactionNumber) == [3])
        }
    }

    @Test("Save As fills a store that may be filled in parts by some hundred objects at a time, any other by one save")
    func saveAs() throws {
        for savesAhead in [true, false] {
            let source = try AtomicStack(nil, type: NSInMemoryStoreType, model: WarehouseStack.model())
            let authors = (0..<700).map { source.context.make("Author", ["name": "\($0)"]) }
            for number in 0..<700 {
                source.context.makeBook("\(number)", ["author": authors[number * 3 % 700]])
            }
            try source.context.save()
            let new = try source.coordinator.migratePersistentStore(
                source.store, to: folder.url.appendingPathComponent("\(savesAhead)"),
                options: [LedgerStore.savesAheadOption: savesAhead], withType: LedgerStore.storeType)
            let saves = try #require(new as? LedgerStore).calls.filter { $0.hasPrefix("save") }
            let largest = saves.compactMap { Int($0.split(separator: " ")[1].dropFirst()) }.max()
            if savesAhead {
                #expect(largest == 512 && saves.contains { $0.hasPrefix("save +0 ~") })
            } else {
                #expect(saves == ["save +1400 ~0 -0"])
            }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = source.coordinator
            try context.performAndWait {
                let books = try context.all("Book")
                #expect(books.count == 700)
                #expect(
                    books.allSatisfy { book in
                        let author = book.value(forKey: "author") as? NSManagedObject
                        return author?.text("name") == book.text("title").flatMap { Int($0) }.map { "\($0 * 3 % 700)" }
                            && author?.titles("books") == [book.text("title") ?? ""]
                    })
            }
        }
    }
}
