import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Persistent history that several programs write")
struct HistorySharingTests {
    private let schema = TestServer.freshSchema()

    private func stack(_ options: [String: Any] = HistoryTests.tracking) throws -> ServerStack {
        try ServerStack(TestServer.shared.url(schema: schema), HistoryTests.model(), options: options)
    }

    @Test("Who reads behind the last token that it saw misses nothing and sees nothing twice, while eight others write")
    func gapless() throws {
        let contexts = try (0..<8).map { _ in try stack().context() }
        let reading = try stack().context()
        let (perWriter, group) = (40, DispatchGroup())
        let running = Atomic(8)
        let failures = Mutex<[String]>([])
        for (writer, context) in contexts.enumerated() {
            DispatchQueue.global().async(group: group) {
                context.performAndWait {
                    do {
                        for number in 0..<perWriter {
                            for part in 0...(number % 3) {
                                NoteModel.object("Label", "\(writer) \(number) \(part)", in: context)
                            }
                            try context.save()
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
                running.subtract(1, ordering: .sequentiallyConsistent)
            }
        }
        var seen: [Int64] = []
        var changes: [Int64] = []
        try reading.performAndWait {
            var token: NSPersistentHistoryToken?
            while true {
                let isLast = running.load(ordering: .sequentiallyConsistent) == 0
                for transaction in try HistoryTests.history(reading, after: token) {
                    seen.append(transaction.transactionNumber)
                    changes += (transaction.changes ?? []).map(\.changeID)
                    token = transaction.token
                }
                if isLast { break }
            }
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(seen == Array(1...Int64(8 * perWriter)))
        #expect(changes == Array(1...Int64(changes.count)))
        let rows = try TestServer.shared.execute("SELECT count(*)::text FROM \"Label\"", in: schema)
        #expect(rows == [["\(changes.count)"]])
    }

    @Test("Where one program begins to keep history, all that others have open record theirs from then on")
    func beginning() throws {
        let others = try (0..<4).map { _ in try stack([:]).context() }
        let group = DispatchGroup()
        let failures = Mutex<[String]>([])
        let (saves, inserts) = (30, 20)
        for (writer, context) in others.enumerated() {
            DispatchQueue.global().async(group: group) {
                context.performAndWait {
                    do {
                        for number in 0..<saves {
                            NoteModel.object("Label", "\(writer) \(number)", in: context)
                            try context.save()
                            let rows = (0..<inserts).map { ["name": "\(writer) \(number) \($0)"] }
                            try context.execute(NSBatchInsertRequest(entityName: "Folder", objects: rows))
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
            }
        }
        usleep(50_000)
        let tracked = try stack()
        let context = tracked.context()
        // What is there now and what history has from now on is everything.
        let counted = NSFetchRequest<NSManagedObject>(entityName: "Folder")
        let (before, history) = try context.performAndWait {
            try context.setQueryGenerationFrom(.current)
            let before = try context.count(for: counted)
            return (before, try HistoryTests.history(context).flatMap { $0.changes ?? [] })
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        try context.performAndWait {
            try context.setQueryGenerationFrom(nil)
            let all = try HistoryTests.history(context).flatMap { $0.changes ?? [] }
            let inHistory = all.count { $0.changedObjectID.entity.name == "Folder" }
            let total = try context.count(for: counted)
            #expect(total == others.count * saves * inserts)
            let knownBefore = history.count { $0.changedObjectID.entity.name == "Folder" }
            // What was there when history began isn't in it; all that came later is, once.
            #expect(total - inHistory <= before && total - inHistory >= before - knownBefore - others.count * inserts)
            #expect(inHistory > 0)
        }
        // A stack that is opened without the option goes on recording, as the store keeps history now.
        let plain = try stack([:]).context()
        try plain.performAndWait {
            let token = tracked.coordinator.currentPersistentHistoryToken(fromStores: nil)
            NoteModel.object("Label", "later", in: plain)
            try plain.save()
            #expect(try HistoryTests.history(context, after: token).count == 1)
        }
    }

    @Test("A remote change is posted with the token that stands behind the save")
    func tokens() throws {
        let options = HistoryTests.tracking.merging([NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]) {
            $1
        }
        let listening = try stack(options)
        let tokens = Mutex<[NSPersistentHistoryToken]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: listening.coordinator, queue: nil
        ) { notification in
            let token = notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
            if let token { tokens.withLock { $0.append(token) } }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        let other = try stack(options)
        let writer = other.context()
        for number in 1...3 {
            let token = try writer.performAndWait {
                NoteModel.note("\(number)", in: writer)
                try writer.save()
                return try #require(other.coordinator.currentPersistentHistoryToken(fromStores: nil))
            }
            let limit = Date(timeIntervalSinceNow: 20)
            while !tokens.withLock({ $0.contains(token) }), Date() < limit { usleep(5000) }
            #expect(tokens.withLock { $0.contains(token) }, "save \(number)")
        }
    }

    @Test("What a context posts after a save has the save's place in history")
    func tokenOfSave() throws {
        let stack = try stack()
        let context = stack.context()
        let posted = Mutex<NSPersistentHistoryToken?>(nil)
        let observer = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification, object: context, queue: nil
        ) { notification in
            let token = notification.userInfo?["newChangeToken"] as? NSPersistentHistoryToken
            posted.withLock { $0 = token }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try context.performAndWait {
            for name in ["one", "two"] {
                NoteModel.note(name, in: context)
                try context.save()
                let current = try #require(stack.coordinator.currentPersistentHistoryToken(fromStores: nil))
                #expect(posted.withLock { $0 } == current)
            }
        }
    }
}
