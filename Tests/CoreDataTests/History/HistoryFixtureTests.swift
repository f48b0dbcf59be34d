import Foundation
import Testing

@testable import CoreData

@Suite("Persistent history that Apple's framework wrote", .enabled(if: SQLiteSchemaFixtures.folder != nil))
struct HistoryFixtureTests {
    @Test("is what SQL shows: transactions, authors, objects, kinds of change")
    func reading() throws {
        var transactions = 0
        var changes = 0
        for store in SQLiteSchemaFixtures.stores {
            let copy = try FixtureCopy(store)
            let plain = try PlainDatabase(copy.url)
            guard try plain.rows("SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTIONSTRING'").count == 1,
                let model = try FixtureModels.model(of: store)
            else { continue }
            let stack = try AtomicStack(
                copy.url, type: NSSQLiteStoreType, model: model,
                options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
            let history = try read(stack)
            try compare(history, plain, model, store.path)
            transactions += history.count
            changes += history.reduce(0) { $0 + ($1.changes?.count ?? 0) }
            try stack.coordinator.remove(stack.store)
        }
        #expect(transactions > 1000 && changes > 10000)
    }

    private func read(_ stack: AtomicStack) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
        let result = try stack.context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }

    private func compare(
        _ history: [NSPersistentHistoryTransaction], _ plain: PlainDatabase, _ model: NSManagedObjectModel,
        _ place: String
    ) throws {
        let expected = try plain.rows(
            """
            SELECT t.Z_PK, t.ZTIMESTAMP, a.ZNAME, b.ZNAME, c.ZNAME, p.ZNAME FROM ATRANSACTION t
            LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS LEFT JOIN ATRANSACTIONSTRING b ON b.Z_PK = t.ZBUNDLEIDTS
            LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS
            LEFT JOIN ATRANSACTIONSTRING p ON p.Z_PK = t.ZPROCESSIDTS ORDER BY t.Z_PK
            """)
        #expect(history.count == expected.count, "\(place)")
        for (transaction, row) in zip(history, expected) {
            #expect(transaction.transactionNumber == row[0].integer, "\(place)")
            #expect(transaction.timestamp.timeIntervalSinceReferenceDate == row[1].double, "\(place)")
            #expect(transaction.author == row[2].string, "\(place)")
            #expect(transaction.bundleID == row[3].string ?? "", "\(place)")
            #expect(transaction.contextName == row[4].string, "\(place)")
            #expect(transaction.processID == row[5].string ?? "", "\(place)")
        }
        let rows = try plain.rows(
            """
            SELECT c.Z_PK, c.ZTRANSACTIONID, c.ZCHANGETYPE, c.ZENTITYPK, k.Z_NAME, c.ZCOLUMNS FROM ACHANGE c
            LEFT JOIN Z_PRIMARYKEY k ON k.Z_ENT = c.ZENTITY ORDER BY c.ZTRANSACTIONID, c.Z_PK
            """)
        let changes = history.flatMap { transaction in
            (transaction.changes ?? []).map { (transaction.transactionNumber, $0) }
        }
        #expect(changes.count == rows.count, "\(place)")
        for ((number, change), row) in zip(changes, rows) {
            #expect(change.changeID == row[0].integer && number == row[1].integer, "\(place)")
            #expect(Int64(change.changeType.rawValue) == row[2].integer, "\(place)")
            let id = change.changedObjectID
            #expect(id.uriRepresentation().lastPathComponent == row[3].integer.map { "p\($0)" }, "\(place)")
            #expect(id.entity.name == row[4].string, "\(place)")
            // A bit for each property: those that the model knows are at most as many as are set.
            let bits = row[5].bytes?.reduce(0) { $0 + $1.nonzeroBitCount } ?? 0
            #expect((change.updatedProperties?.count ?? 0) <= bits, "\(place)")
        }
    }
}
