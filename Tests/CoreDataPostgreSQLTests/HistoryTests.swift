import Foundation
import FoundationCompat
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

@Suite("Persistent history of a PostgreSQL store")
struct HistoryTests {
    static let tracking = [NSPersistentHistoryTrackingKey: true]

    /// Notes of whose values history keeps some.
    static func model() -> NSManagedObjectModel {
        let model = NoteModel.make()
        let note = model.entitiesByName["Note"]
        for name in ["name", "written"] { note?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true }
        return model
    }

    static func history(_ context: NSManagedObjectContext, after token: NSPersistentHistoryToken? = nil) throws
        -> [NSPersistentHistoryTransaction]
    {
        let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
        return try #require((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])
    }

    private static func result(_ request: NSPersistentHistoryChangeRequest, _ context: NSManagedObjectContext) throws
        -> Any?
    {
        (try context.execute(request) as? NSPersistentHistoryResult)?.result
    }

    /// The history as lines, objects by their place among those that it names.
    private static func lines(_ history: [NSPersistentHistoryTransaction]) -> [String] {
        var places: [NSManagedObjectID: Int] = [:]
        return history.flatMap { transaction in
            let changes = (transaction.changes ?? []).map { change in
                let place = places[change.changedObjectID] ?? places.count
                places[change.changedObjectID] = place
                let names = change.updatedProperties.map { $0.map(\.name).sorted().joined(separator: "+") } ?? "nil"
                let kept =
                    change.tombstone.map { values in
                        values.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: ",")
                    } ?? "nil"
                return "  \(change.changeID) \(change.changeType) \(change.changedObjectID.entity.name ?? "")\(place) "
                    + "\(names) \(kept)"
            }
            let number = transaction.transactionNumber
            return ["\(number) \(transaction.author ?? "nil") \(transaction.contextName ?? "nil")"] + changes
        }
    }

    /// Saves and batch requests of all kinds.
    private static func work(_ context: NSManagedObjectContext) throws {
        context.name = "worker"
        context.transactionAuthor = "first"
        let folder = NoteModel.object("Folder", "home", in: context)
        let label = NoteModel.object("Label", "red", in: context)
        try context.save()
        let notes = try (0..<4).map { number in
            let note = NoteModel.note("n\(number)", in: context)
            note.setValue(folder, forKey: "folder")
            try context.save()
            return note
        }
        context.transactionAuthor = nil
        notes[0].setValue("text", forKey: "text")
        notes[0].setValue(Date(timeIntervalSinceReferenceDate: 12345.678901), forKey: "written")
        notes[0].setValue(Set([label]), forKey: "labels")
        try context.save()
        folder.setValue(NSOrderedSet(array: [notes[3], notes[1], notes[0]]), forKey: "notes")
        try context.save()
        context.delete(notes[0])
        try context.save()
        context.delete(folder)
        try context.save()
        context.transactionAuthor = "batch"
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.execute(
            NSBatchInsertRequest(
                entityName: "Note", objects: [["name": "n1", "text": "again"], ["name": "b1"], ["name": "b2"]]))
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(format: "name BEGINSWITH 'b'")
        update.propertiesToUpdate = ["text": "updated"]
        try context.execute(update)
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Note")
        request.predicate = NSPredicate(format: "name == 'b1'")
        try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }

    @Test(
        "It says what that of a SQLite store says: who, in which transaction, which properties, which values are kept")
    func twins() throws {
        let twins = try Twins(Self.model, options: Self.tracking)
        let histories = try twins.each { context in
            try Self.work(context)
            return Self.lines(try Self.history(context))
        }
        #expect(histories.server == histories.file)
        #expect(histories.server.count > 25)
    }

    @Test("Another program reads it by plain SQL")
    func plain() throws {
        let schema = TestServer.freshSchema()
        let stack = try ServerStack(
            TestServer.shared.url(schema: schema), Self.model(), options: Self.tracking)
        let context = stack.context()
        try context.performAndWait { try Self.work(context) }
        let rows = try TestServer.shared.execute(
            """
            SELECT t."author", e."name", c."properties"::text, c."tombstone" ->> 'name' FROM "_changes" c \
            JOIN "_transactions" t ON t."number" = c."transaction" JOIN "_entities" e ON e."number" = c."entity" \
            ORDER BY c."number" DESC LIMIT 2
            """, in: schema)
        #expect(rows == [["batch", "Note", "", "b1"], ["batch", "Note", "{text}", ""]])
    }

    @Test("Fetching begins behind a token, a transaction or a date, and the result is what its type asks for")
    func fetching() throws {
        let stack = try ServerStack(
            TestServer.shared.url(schema: TestServer.freshSchema()), Self.model(), options: Self.tracking)
        let context = stack.context()
        try context.performAndWait {
            try Self.work(context)
            let all = try Self.history(context)
            let count = all.count
            #expect(all.map(\.transactionNumber) == Array(1...Int64(count)))
            #expect(all.allSatisfy { $0.processID == ProcessInfo.processInfo.processName && !$0.bundleID.isEmpty })
            #expect(
                all.allSatisfy { $0.storeID == stack.store.identifier && abs($0.timestamp.timeIntervalSinceNow) < 60 })
            #expect(try Self.history(context, after: all[2].token).first?.transactionNumber == 4)
            #expect(try Self.history(context, after: all[count - 1].token).isEmpty)
            #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: nil) == all[count - 1].token)
            func numbers(_ request: NSPersistentHistoryChangeRequest) throws -> [Int64]? {
                (try Self.result(request, context) as? [NSPersistentHistoryTransaction])?.map(\.transactionNumber)
            }
            let last = Int64(count)
            #expect(try numbers(.fetchHistory(after: all[count - 2])) == [last])
            #expect(try numbers(.fetchHistory(after: all[count - 2].timestamp)) == [last])
            func result(_ type: NSPersistentHistoryResultType) throws -> Any? {
                let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
                request.resultType = type
                return try Self.result(request, context)
            }
            let changes = all.flatMap { $0.changes ?? [] }
            #expect(try result(.statusOnly) as? Bool == true)
            #expect(try result(.count) as? Int == changes.count)
            #expect(
                (try result(.objectIDs) as? [NSManagedObjectID])?.count == Set(changes.map(\.changedObjectID)).count)
            let bare = try result(.transactionsOnly) as? [NSPersistentHistoryTransaction]
            #expect(bare?.count == count && bare?.allSatisfy { $0.changes == nil } == true)
            #expect(try result(.changesOnly) as? [NSPersistentHistoryChange] == changes)
        }
    }

    @Test("A fetch request for transactions or changes selects what filtering all of them does")
    func selection() throws {
        let stack = try ServerStack(
            TestServer.shared.url(schema: TestServer.freshSchema()), Self.model(), options: Self.tracking)
        let context = stack.context()
        try context.performAndWait {
            try Self.work(context)
            let all = try Self.history(context)
            let (middle, id) = (all[4].timestamp, try #require(all[1].changes?.first?.changedObjectID))
            let transactions: [(String, [Any])] = [
                ("author == 'first'", []), ("author != 'first'", []), ("author == nil", []), ("author != nil", []),
                ("author IN {'first', 'batch'}", []), ("author IN %@", [[String]()]), ("NOT (author == 'first')", []),
                ("author BEGINSWITH[c] 'B'", []), ("contextName == 'worker' AND author != nil", []),
                ("timestamp > %@", [middle]), ("timestamp BETWEEN %@", [[middle, Date()]]),
                ("transactionNumber > 3 AND transactionNumber != 5", []), ("transactionNumber IN {2, 99}", []),
                ("transactionNumber > 3.5", []), ("bundleID == %@", [all[0].bundleID]), ("processID == nil", []),
                ("author == %@", ["a\u{0}"]), ("changes.@count > 1", []), ("ANY changes.changeType == 1", []),
                ("token > %@", [all[3].token]),
            ]
            for (format, arguments) in transactions {
                let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                let expected = try all.filter { try request.predicate!.checkedEvaluate(with: $0) }
                let found = try Self.result(.fetchHistory(withFetch: request), context)
                #expect(found as? [NSPersistentHistoryTransaction] == expected, "\(format)")
            }
            let changes: [(String, [Any])] = [
                ("changeType == 2", []), ("changeType IN {0, 1}", []), ("changedObjectID == %@", [id]),
                ("changedEntity.name == 'Folder'", []), ("changeID BETWEEN {3, 6}", []),
                ("transaction.author == 'batch' AND changeType == 1", []), ("tombstone != nil", []),
                ("transaction.timestamp > %@ OR changeType == 0", [middle]), ("updatedProperties.@count > 1", []),
            ]
            for (format, arguments) in changes {
                let request = try #require(NSPersistentHistoryChange.fetchRequest)
                request.predicate = NSPredicate(format: format, argumentArray: arguments)
                request.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
                request.fetchLimit = 3
                let expected = try all.flatMap { $0.changes ?? [] }
                    .filter { try request.predicate!.checkedEvaluate(with: $0) }
                let asked = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: request)
                asked.resultType = .changesOnly
                let found = try Self.result(asked, context) as? [NSPersistentHistoryChange]
                #expect(found == Array(expected.reversed().prefix(3)), "\(format)")
            }
        }
    }

    @Test("Deleting goes up to a token, a transaction or a date, which stay; an older token has expired then")
    func deleting() throws {
        let twins = try Twins(Self.model, options: Self.tracking)
        let answers = try twins.each { context -> [String] in
            func lines(_ body: () throws -> Any?) -> String {
                do {
                    return "\(try body() ?? "nil")"
                } catch let error as NSError {
                    return "error \(error.code)"
                }
            }
            try Self.work(context)
            let all = try Self.history(context)
            let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: all[3].token)
            deletion.resultType = .count
            return [
                lines { try Self.result(deletion, context) },
                lines { try Self.history(context).map(\.transactionNumber) },
                lines { try Self.history(context, after: all[2].token).count },
                lines { try Self.history(context, after: all[1].token).count },
                lines { try Self.result(.deleteHistory(before: all[6]), context) },
                lines { try Self.history(context).map(\.transactionNumber) },
                lines { try Self.result(.deleteHistory(before: nil as NSPersistentHistoryToken?), context) },
                lines { try Self.result(.deleteHistory(before: Date.distantFuture), context) },
                lines { try Self.history(context).count },
                lines {
                    NoteModel.note("next", in: context)
                    try context.save()
                    return try Self.history(context, after: all.last?.token).map(\.transactionNumber)
                },
            ]
        }
        #expect(answers.server == answers.file)
    }

    @Test("A tombstone has each value as it was, to the last digit")
    func tombstones() throws {
        let types: [(String, NSAttributeType, Any)] = [
            ("int16", .integer16AttributeType, NSNumber(value: Int16.min)),
            ("int64", .integer64AttributeType, NSNumber(value: Int64.max)),
            ("flag", .booleanAttributeType, NSNumber(value: true)),
            ("double", .doubleAttributeType, NSNumber(value: 0.1 + 0.2)),
            ("infinite", .doubleAttributeType, NSNumber(value: -Double.infinity)),
            ("float", .floatAttributeType, NSNumber(value: Float(0.1))),
            ("decimal", .decimalAttributeType, NSDecimalNumber(string: "12345678901234567890123456789.012345")),
            ("text", .stringAttributeType, "o'Brien \"\\ \u{1F600} e\u{301}\n"),
            ("date", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 700_000_000.123456789)),
            ("data", .binaryDataAttributeType, Data([0, 255, 7])), ("uuid", .UUIDAttributeType, UUID()),
            ("uri", .URIAttributeType, URL(string: "https://example.org/a?b")!),
        ]
        let entity = NSEntityDescription()
        entity.name = "Thing's"
        entity.properties = types.map { name, type, _ in
            let attribute = NSAttributeDescription()
            attribute.name = name + "'\\"
            attribute.attributeType = type
            attribute.isOptional = true
            attribute.preservesValueInHistoryOnDeletion = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try ServerStack(
            TestServer.shared.url(schema: TestServer.freshSchema()), model, options: Self.tracking)
        let context = stack.context()
        try context.performAndWait {
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing's", into: context)
            for (name, _, value) in types { thing.setValue(value, forKey: name + "'\\") }
            try context.save()
            context.delete(thing)
            try context.save()
            let kept = try #require(try Self.history(context).last?.changes?.first?.tombstone)
            for (name, _, value) in types {
                #expect((kept[name + "'\\"] as? NSObject)?.isEqual(value) ?? false, "\(name): \(kept)")
            }
            #expect(kept.count == types.count)
        }
    }
}
