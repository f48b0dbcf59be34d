import CoreData
import Foundation
import FoundationCompat
import Synchronization
import Testing

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@Suite("A fetch request for history")
struct HistorySelectionTests {
    /// Sixty saves by three authors and a nameless one.
    private struct Recorded {
        let stack: TrackedStack
        let all: [NSPersistentHistoryTransaction]

        init() throws {
            let counter = Counter()
            stack = try TrackedStack(
                options: [
                    StatementObserverOption: StatementObserver { statement in
                        if statement.sql.contains("FROM ACHANGE c") || statement.sql.contains("FROM ATRANSACTION t0") {
                            counter.value.withLock { $0 += statement.rowCount }
                        }
                    }
                ])
            self.counter = counter
            let context = stack.context
            for number in 0..<60 {
                context.transactionAuthor = ["sync", "import", nil, "o'Brien"][number % 4]
                context.name = number.isMultiple(of: 3) ? "worker" : nil
                context.make(number.isMultiple(of: 2) ? "Author" : "Genre", ["name": "\(number)"])
                if number.isMultiple(of: 5) {
                    for object in try context.all("Author").prefix(2) { object.setValue("x\(number)", forKey: "name") }
                }
                if number.isMultiple(of: 7) { try context.all("Genre").first.map(context.delete) }
                try context.save()
            }
            all = try stack.history()
        }

        private let counter: Counter

        private final class Counter: Sendable {
            let value = Mutex(0)
        }

        /// What a request answers, and how many rows were read for it.
        func execute(_ request: NSPersistentHistoryChangeRequest) throws -> (Any?, rows: Int) {
            counter.value.withLock { $0 = 0 }
            let result = try stack.execute(request)
            return (result, counter.value.withLock { $0 })
        }
    }

    private func request(_ entity: NSEntityDescription?, _ format: String, _ arguments: [Any])
        -> NSFetchRequest<NSFetchRequestResult>
    {
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = entity
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return request
    }

    @Test("for transactions answers what filtering all of them does, and doesn't read the others")
    func transactions() throws {
        let recorded = try Recorded()
        let entity = NSPersistentHistoryTransaction.entityDescription(with: recorded.stack.context)
        let middle = recorded.all[30].timestamp
        let formats: [(String, [Any], isNarrow: Bool)] = [
            ("author == %@", ["sync"], true), ("author != %@", ["sync"], true), ("author == nil", [], true),
            ("author != nil", [], true), ("author == %@", ["o'Brien"], true), ("author == 'nobody'", [], true),
            ("author IN %@", [["sync", "import"]], true), ("NOT (author == 'sync')", [], false),
            ("author == nil OR author == 'import'", [], true), ("author BEGINSWITH[c] 'S'", [], false),
            ("author ==[c] 'SYNC'", [], false), ("'sync' == author AND contextName == 'worker'", [], true),
            ("contextName == nil AND author BEGINSWITH 'i'", [], true), ("contextName != 'worker'", [], true),
            ("timestamp > %@", [middle], true), ("timestamp <= %@ AND author == 'sync'", [middle], true),
            ("%@ < timestamp", [middle], true), ("timestamp BETWEEN %@", [[middle, Date()]], true),
            ("transactionNumber > 40 AND transactionNumber != 50", [], true),
            ("transactionNumber IN {3, 4, 99}", [], true),
            ("bundleID == %@", [recorded.all[0].bundleID], false),
            ("processID != %@", [recorded.all[0].processID], true),
            ("storeID == %@", [recorded.all[0].storeID], false), ("changes.@count > 1", [], false),
            ("author == 'sync' AND ANY changes.changeType == 1", [], true),
            ("token == %@", [recorded.all[5].token], false),
        ]
        for (format, arguments, isNarrow) in formats {
            let fetch = request(entity, format, arguments)
            let expected = try recorded.all.filter { try fetch.predicate!.checkedEvaluate(with: $0) }
            let (found, rows) = try recorded.execute(.fetchHistory(withFetch: fetch))
            let transactions = found as? [NSPersistentHistoryTransaction]
            #expect(transactions == expected, "\(format)")
            #expect(transactions?.map { $0.changes ?? [] } == expected.map { $0.changes ?? [] }, "\(format)")
            let read = recorded.all.reduce(0) { $0 + 1 + ($1.changes?.count ?? 0) }
            #expect((rows < read) == isNarrow, "\(format): \(rows) of \(read)")
            // Without changes, and behind a token.
            let behind = NSPersistentHistoryChangeRequest.fetchHistory(after: recorded.all[19])
            behind.fetchRequest = fetch
            behind.resultType = .transactionsOnly
            let (later, _) = try recorded.execute(behind)
            #expect(
                later as? [NSPersistentHistoryTransaction] == expected.filter { $0.transactionNumber > 20 }, "\(format)"
            )
        }
    }

    @Test("for changes answers what filtering all of them does, and doesn't read the others")
    func changes() throws {
        let recorded = try Recorded()
        let entity = NSPersistentHistoryChange.entityDescription(with: recorded.stack.context)
        let entities = recorded.stack.coordinator.managedObjectModel.entitiesByName
        let all = recorded.all.flatMap { $0.changes ?? [] }
        let id = try #require(all.first { $0.changeType == .update }?.changedObjectID)
        let formats: [(String, [Any], isNarrow: Bool)] = [
            ("changeType == %d", [NSPersistentHistoryChangeType.delete.rawValue], true), ("changeType != 0", [], true),
            ("changeType IN {1, 2}", [], true), ("changedObjectID == %@", [id], true),
            ("changedObjectID IN %@", [[id, all[3].changedObjectID]], true), ("changedObjectID != %@", [id], false),
            ("changedEntity == %@", [entities["Genre"]!], true), ("changedEntity.name == 'Author'", [], true),
            ("changedEntity.name == 'Nothing'", [], false), ("changeID > 20 AND changeID <= 30", [], true),
            ("transaction.author == 'sync'", [], true), ("transaction.author == 'sync' OR changeType == 2", [], true),
            ("transaction.timestamp > %@ AND changeType == 1", [recorded.all[10].timestamp], true),
            ("transaction.contextName == nil AND NOT (changeType == 0)", [], true), ("tombstone == nil", [], false),
            ("updatedProperties.@count > 0", [], false),
        ]
        for (format, arguments, isNarrow) in formats {
            let fetch = request(entity, format, arguments)
            let expected = try all.filter { try fetch.predicate!.checkedEvaluate(with: $0) }
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            request.resultType = .changesOnly
            let (found, rows) = try recorded.execute(request)
            #expect(found as? [NSPersistentHistoryChange] == expected, "\(format)")
            #expect((rows < all.count + recorded.all.count) == isNarrow, "\(format): \(rows)")
            request.resultType = .count
            #expect(try recorded.execute(request).0 as? Int == expected.count, "\(format)")
            request.resultType = .transactionsOnly
            let (transactions, _) = try recorded.execute(request)
            #expect(
                (transactions as? [NSPersistentHistoryTransaction])?.map(\.transactionNumber)
                    == Set(expected.compactMap { $0.transaction?.transactionNumber }).sorted(), "\(format)")
            fetch.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
            fetch.fetchLimit = 3
            let limited = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            limited.resultType = .changesOnly
            #expect(
                try recorded.execute(limited).0 as? [NSPersistentHistoryChange]
                    == expected.reversed().prefix(3).map(\.self),
                "\(format)")
        }
    }
}
