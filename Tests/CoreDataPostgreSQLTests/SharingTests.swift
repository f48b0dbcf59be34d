import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("What a program learns of others that use its PostgreSQL store")
struct SharingTests {
    private let schema = TestServer.freshSchema()

    private func stack(_ options: [String: Any] = [:], parameters: String = "") throws -> ServerStack {
        try ServerStack(
            TestServer.shared.url(schema: schema, parameters: parameters), NoteModel.make(), options: options)
    }

    @Test(
        "A pinned context sees its state, whatever others save, also where memory evaluates; unpinned it sees the newest"
    )
    func generations() throws {
        let stack = try stack()
        let writer = stack.context()
        let reader = stack.context()
        try writer.performAndWait {
            NoteModel.note("one", in: writer)
            try writer.save()
        }
        func counts() throws -> [Int] {
            let all = NSFetchRequest<NSManagedObject>(entityName: "Note")
            let some = NSFetchRequest<NSManagedObject>(entityName: "Note")
            some.predicate = NSPredicate(format: "name LIKE[c] '*O*'")
            return [try reader.count(for: all), try reader.count(for: some), try reader.fetch(all).count]
        }
        try reader.performAndWait {
            try reader.setQueryGenerationFrom(.current)
            #expect(try counts() == [1, 1, 1])
            try writer.performAndWait {
                NoteModel.note("two", in: writer)
                try writer.save()
            }
            #expect(try counts() == [1, 1, 1])
            // An error of the server doesn't end the state.
            let failing = NSFetchRequest<NSManagedObject>(entityName: "Note")
            failing.predicate = NSPredicate(format: "written + 1e308 * 1e308 > 0 OR name == 'one'")
            let found = try reader.count(for: failing)
            #expect(found == 1)
            #expect(try counts() == [1, 1, 1])
            try reader.setQueryGenerationFrom(nil)
            #expect(try counts() == [2, 2, 2])
        }
    }

    @Test("A save of another program is posted as a remote change, also after the listening connection was lost")
    func notifications() throws {
        let option = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
        let listening = try stack(option)
        let posted = DispatchSemaphore(value: 0)
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: listening.coordinator, queue: nil
        ) { _ in posted.signal() }
        defer { NotificationCenter.default.removeObserver(observer) }
        let writer = try stack(option).context()
        func save(_ name: String) throws {
            try writer.performAndWait {
                NoteModel.note(name, in: writer)
                try writer.save()
            }
        }
        try save("one")
        #expect(posted.wait(timeout: .now() + 20) == .success)
        try TestServer.shared.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%\(schema)%'", in: "public")
        // The connection is there again, and tells that something may have been missed.
        #expect(posted.wait(timeout: .now() + 20) == .success)
        while posted.wait(timeout: .now()) == .success {}
        try save("two")
        #expect(posted.wait(timeout: .now() + 20) == .success)
    }

    @Test("A save whose answer was lost after the commit is known to be done, and is done once")
    func lostAnswer() throws {
        try stack().close()
        // The server commits, and then waits for a replica that there isn't: its answer doesn't come.
        let context = try stack(parameters: "&application_name=\(schema)&options=-csynchronous_commit%3Don")
            .context()
        let ended = Atomic(false)
        let failure = Mutex<String?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            context.performAndWait {
                NoteModel.note("once", in: context)
                do {
                    try context.save()
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
                ended.store(true, ordering: .relaxed)
            }
        }
        var cut = 0
        for _ in 0..<200 where !ended.load(ordering: .relaxed) {
            cut += try TestServer.shared.execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep' \
                AND application_name = '\(schema)'
                """, in: "public"
            ).count
            usleep(50_000)
        }
        let isDone = group.wait(timeout: .now() + 30) == .success
        try #require(isDone, "the save hangs")
        #expect(cut > 0, "the server never waited")
        #expect(failure.withLock { $0 } == nil)
        #expect(try TestServer.shared.execute("SELECT name FROM \"Note\"", in: schema) == [["once"]])
    }

    @Test("A save that has to wait for a row doesn't keep other contexts of its coordinator from saving")
    func sideBySide() throws {
        let stack = try stack()
        let (waiting, other) = (stack.context(), stack.context())
        try other.performAndWait {
            for name in ["one", "two"] { NoteModel.note(name, in: other) }
            try other.save()
        }
        let stranger = try PostgreSQLConnection(
            PostgreSQLAddress(TestServer.shared.url(schema: schema)), timeout: 30)
        try stranger.executeScript("BEGIN; SELECT 1 FROM \(.quoted(schema)).\"Note\" WHERE \"name\" = 'one' FOR UPDATE")
        let group = DispatchGroup()
        let failure = Mutex<String?>(nil)
        DispatchQueue.global().async(group: group) {
            waiting.performAndWait {
                do {
                    try NoteModel.all("Note", in: waiting)[0].setValue("waits", forKey: "text")
                    try waiting.save()
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
            }
        }
        var isWaiting = false
        for _ in 0..<400 where !isWaiting {
            isWaiting = try !TestServer.shared.execute(
                "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%\(schema)%'",
                in: "public"
            ).isEmpty
            usleep(50_000)
        }
        #expect(isWaiting)
        try other.performAndWait {
            try NoteModel.all("Note", in: other)[1].setValue("goes on", forKey: "text")
            try other.save()
        }
        #expect(group.wait(timeout: .now()) == .timedOut)
        try stranger.executeScript("COMMIT")
        let isDone = group.wait(timeout: .now() + 30) == .success
        try #require(isDone, "the save hangs")
        #expect(failure.withLock { $0 } == nil)
        #expect(
            try TestServer.shared.execute("SELECT text FROM \"Note\" ORDER BY name", in: schema) == [
                ["waits"], ["goes on"],
            ])
    }
}
