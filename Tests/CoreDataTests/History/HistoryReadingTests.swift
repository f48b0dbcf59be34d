import CoreData
import Foundation
import Testing

@Suite("Reading persistent history")
struct HistoryReadingTests {
    /// Three saves: two authors; one of them changed; the other one deleted.
    private func stack() throws -> TrackedStack {
        let stack = try TrackedStack()
        let context = stack.context
        context.name = "worker"
        context.transactionAuthor = "first"
        let one = context.make("Author", ["name": "One"])
        let two = context.make("Author", ["name": "Two"])
        try context.save()
        context.transactionAuthor = nil
        one.setValue("Uno", forKey: "name")
        one.setValue(Date(), forKey: "born")
        try context.save()
        context.transactionAuthor = "last"
        context.delete(two)
        try context.save()
        return stack
    }

    @Test("each save is a transaction that says who, when and what")
    func transactions() throws {
        let before = Date()
        let stack = try stack()
        let history = try stack.history()
        #expect(history.map(\.transactionNumber) == [1, 2, 3])
        #expect(history.map(\.author) == ["first", nil, "last"])
        #expect(history.allSatisfy { $0.contextName == "worker" && $0.storeID == stack.store.identifier })
        #expect(history.allSatisfy { $0.processID == ProcessInfo.processInfo.processName && !$0.bundleID.isEmpty })
        #expect(history.allSatisfy { $0.timestamp >= before && $0.timestamp <= Date() })
        #expect(history.map { $0.changes?.map(\.changeType) } == [[.insert, .insert], [.update], [.delete]])
        let update = try #require(history[1].changes?.first)
        #expect(update.updatedProperties.map { Set($0.map(\.name)) } == ["name", "born"])
        #expect(try stack.context.existingObject(with: update.changedObjectID).text("name") == "Uno")
        #expect(update.transaction === history[1])
        #expect(history[2].changes?.first?.updatedProperties == nil)
    }

    @Test("fetching starts strictly behind a token, a transaction or a date")
    func after() throws {
        let stack = try stack()
        let history = try stack.history()
        #expect(try stack.history(after: history[0].token).map(\.transactionNumber) == [2, 3])
        #expect(try stack.history(after: history[2].token).isEmpty)
        func numbers(_ request: NSPersistentHistoryChangeRequest) throws -> [Int64]? {
            (try stack.execute(request) as? [NSPersistentHistoryTransaction])?.map(\.transactionNumber)
        }
        #expect(try numbers(.fetchHistory(after: history[1])) == [3])
        #expect(try numbers(.fetchHistory(after: history[1].timestamp)) == [3])
        #expect(try numbers(.fetchHistory(after: Date.distantPast)) == [1, 2, 3])
        #expect(try numbers(.fetchHistory(after: nil as NSPersistentHistoryTransaction?)) == [1, 2, 3])
    }

    @Test("the result is what its type asks for")
    func resultTypes() throws {
        let stack = try stack()
        func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
            #expect(request.resultType == .transactionsAndChanges)
            request.resultType = type
            return try stack.execute(request)
        }
        #expect(try result(.statusOnly) as? Bool == true)
        #expect(try result(.count) as? Int == 4)
        #expect((try result(.objectIDs) as? [NSManagedObjectID])?.count == 2)
        let transactions = try result(.transactionsOnly) as? [NSPersistentHistoryTransaction]
        #expect(transactions?.count == 3 && transactions?.allSatisfy { $0.changes == nil } == true)
        let changes = try result(.changesOnly) as? [NSPersistentHistoryChange]
        #expect(changes?.map(\.changeID) == [1, 2, 3, 4])
        #expect(changes?.last?.transaction?.author == "last")
    }

    @Test("a fetch request selects, orders and limits transactions or changes")
    func fetchRequests() throws {
        let stack = try stack()
        let byAuthor = try #require(NSPersistentHistoryTransaction.fetchRequest)
        byAuthor.predicate = NSPredicate(format: "author == %@ OR author == NULL", "last")
        byAuthor.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: false)]
        let transactions = try stack.execute(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: byAuthor))
        #expect((transactions as? [NSPersistentHistoryTransaction])?.map(\.transactionNumber) == [3, 2])
        byAuthor.fetchLimit = 1
        let limited = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: byAuthor)
        limited.resultType = .count
        #expect(try stack.execute(limited) as? Int == 1)

        let entity = try #require(NSPersistentHistoryChange.entityDescription(with: stack.context))
        #expect(entity.attributesByName["changedObjectID"] != nil)
        let byObject = NSFetchRequest<NSFetchRequestResult>()
        byObject.entity = entity
        let id = try #require(try stack.history()[2].changes?.first?.changedObjectID)
        byObject.predicate = NSPredicate(format: "changedObjectID == %@", id)
        let changes = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: byObject)
        changes.resultType = .changesOnly
        #expect((try stack.execute(changes) as? [NSPersistentHistoryChange])?.map(\.changeType) == [.insert, .delete])
        changes.resultType = .transactionsAndChanges
        let containing = try stack.execute(changes) as? [NSPersistentHistoryTransaction]
        #expect(containing?.map(\.transactionNumber) == [1, 3] && containing?[0].changes?.count == 1)
        byObject.predicate = NSPredicate(
            format: "changeType == %d AND transaction.author == 'last'", NSPersistentHistoryChangeType.delete.rawValue)
        changes.fetchRequest = byObject
        #expect((try stack.execute(changes) as? [NSPersistentHistoryTransaction])?.map(\.transactionNumber) == [3])
        let other = NSFetchRequest<NSFetchRequestResult>(entityName: "Author")
        #expect(
            thrownCode { try stack.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: other)) }
                == NSPersistentStoreUnsupportedRequestTypeError)
        byAuthor.predicate = NSPredicate(format: "nobody == 1")
        #expect(
            thrownCode { try stack.context.execute(NSPersistentHistoryChangeRequest.fetchHistory(withFetch: byAuthor)) }
                != nil)
    }

    @Test("deleting goes up to a token, a transaction or a date, which stay; an older token has expired then")
    func deleting() throws {
        let stack = try stack()
        let history = try stack.history()
        let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: history[1].token)
        deletion.resultType = .count
        #expect(try stack.execute(deletion) as? Int == 2)
        #expect(try stack.history().map(\.transactionNumber) == [2, 3])
        #expect(try stack.rows("SELECT COUNT(*) FROM ACHANGE") == [["2"]])
        #expect(try stack.history(after: history[0].token).map(\.transactionNumber) == [2, 3])
        #expect(try stack.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: history[2])) as? Bool == true)
        #expect(thrownCode { _ = try stack.history(after: history[0].token) } == NSPersistentHistoryTokenExpiredError)
        #expect(try stack.history(after: history[1].token).map(\.transactionNumber) == [3])
        try stack.context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        #expect(try stack.history().isEmpty)
        #expect(try stack.history(after: history[2].token).isEmpty)
        let none = NSPersistentHistoryChangeRequest.deleteHistory(before: nil as NSPersistentHistoryToken?)
        try stack.context.execute(none)
        stack.context.make("Author", ["name": "Next"])
        try stack.context.save()
        #expect(try stack.history(after: history[2].token).map(\.transactionNumber) == [4])
    }

    @Test("tokens compare, travel through archives, and name their stores")
    func tokens() throws {
        let stack = try stack()
        let last = try #require(try stack.history().last?.token)
        let current = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
        #expect(current == last && current.hash == last.hash)
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: [stack.store]) == last)
        let data = try NSKeyedArchiver.archivedData(withRootObject: last, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
        #expect(read == last)
        #expect(try stack.history().first?.token != last)
        #expect(last.description.contains(stack.store.identifier))
        let foreign = try TrackedStack()
        foreign.context.make("Author", ["name": "X"])
        try foreign.context.save()
        let other = try #require(try foreign.history().first?.token)
        #expect(thrownCode { _ = try stack.history(after: other) } == NSPersistentHistoryTokenExpiredError)
        let untracked = try TrackedStack(tracksHistory: false)
        #expect(untracked.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
        #expect(try untracked.history().isEmpty)
    }

    @Test("the attributes that the model preserves are in a deletion's tombstone")
    func tombstones() throws {
        let model = try Library.model()
        for name in ["title", "price", "published", "identifier", "copies"] {
            (model.entitiesByName["Book"]?.attributesByName[name])?.preservesValueInHistoryOnDeletion = true
        }
        let stack = try TrackedStack(model: model)
        let identifier = UUID()
        let published = Date(timeIntervalSinceReferenceDate: 1000.25)
        let book = stack.context.makeBook(
            "Momo",
            ["identifier": identifier, "copies": 4, "published": published, "price": Decimal(string: "7.25")!])
        let plain = stack.context.makeBook("Plain\0and more")
        try stack.context.save()
        stack.context.delete(book)
        try stack.context.save()
        try stack.context.execute(NSBatchDeleteRequest(objectIDs: [plain.objectID]))
        let history = try stack.history()
        let tombstone = try #require(history[1].changes?.first?.tombstone)
        #expect(tombstone["title"] as? String == "Momo")
        #expect(tombstone["identifier"] as? UUID == identifier)
        #expect(tombstone["published"] as? Date == published)
        #expect(tombstone["copies"] as? Int == 4)
        #expect(tombstone["price"] as? Decimal == Decimal(string: "7.25"))
        #expect(tombstone.count == 5)
        #expect(history[2].changes?.first?.tombstone?["title"] as? String == "Plain\0and more")
    }

    @Test("merging a transaction brings what another stack wrote into a context")
    func merging() throws {
        let stack = try stack()
        let context = stack.context
        let author = try #require(try context.all("Author").first)
        #expect(author.text("name") == "Uno")
        let seen = stack.coordinator.currentPersistentHistoryToken(fromStores: nil)
        let second = try stack.secondStack()
        let other = try #require(try second.context.all("Author").first)
        other.setValue("Elsewhere", forKey: "name")
        let added = second.context.make("Author", ["name": "Added"])
        try second.context.save()
        #expect(author.text("name") == "Uno")
        for transaction in try stack.history(after: seen) {
            context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(author.text("name") == "Elsewhere")
        #expect(context.insertedObjects.isEmpty && !context.hasChanges)
        let id = try #require(
            stack.coordinator.managedObjectID(forURIRepresentation: added.objectID.uriRepresentation()))
        #expect(context.object(with: id).text("name") == "Added")
        second.context.delete(other)
        try second.context.save()
        let last = try #require(try stack.history().last)
        context.mergeChanges(fromContextDidSave: last.objectIDNotification())
        #expect(author.managedObjectContext == nil)
        try second.coordinator.remove(second.store)
    }
}
