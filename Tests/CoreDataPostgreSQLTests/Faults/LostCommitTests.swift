import CoreData
import Foundation
import Testing

@testable import CoreDataPostgreSQL

/// A server that loses the end of its log gives numbers out again: of transactions, and of keys.
@Suite("A server that breaks down at a commit, and goes on with the numbers of what it has lost", .serialized)
struct LostCommitTests {
    // Nothing gets to the server's log by itself, so that all is lost that wasn't committed.
    private static let lateLog = ["wal_writer_delay=10s", "autovacuum=off", "checkpoint_timeout=1h"]

    private struct Saving {
        let error: NSError?
        let names: [[String]]
    }

    /// Saves a label, and breaks the server down at the commit. Others take as many numbers of transactions as were lost.
    private func save(_ server: FaultServer, tracksHistory: Bool, reachesServer: Bool) throws -> Saving {
        let options = tracksHistory ? HistoryTests.tracking : [:]
        try ServerStack(server.url, NoteModel.make(), options: options).close()
        let breakDown: @Sendable () throws -> Void = {
            try server.restart()
            let other = try ServerStack(server.url, NoteModel.make(), options: [:])
            let context = other.context()
            try context.performAndWait {
                for number in 0..<6 {
                    NoteModel.object("Label", "other \(number)", in: context)
                    try context.save()
                }
            }
            try other.close()
        }
        let proxy = try CuttingProxy(
            to: server, reachesServer ? .afterCommit(breakDown) : .beforeCommit(breakDown))
        defer { proxy.stop() }
        let stack = try ServerStack(proxy.url, NoteModel.make(), options: options)
        let context = stack.context()
        var failure: NSError?
        try context.performAndWait {
            NoteModel.object("Label", "lost?", in: context)
            do {
                try context.save()
            } catch {
                failure = error as NSError
            }
            context.reset()
            // Keys that were lost belong to others now.
            for number in 0..<6 {
                NoteModel.object("Label", "own \(number)", in: context)
                try context.save()
            }
        }
        try stack.close()
        let counts = try server.execute(
            "SELECT CAST(COUNT(DISTINCT name) AS text) FROM \"Label\" WHERE name <> 'lost?'")
        #expect(counts == [["12"]])
        return Saving(error: failure, names: try server.execute("SELECT name FROM \"Label\" WHERE name = 'lost?'"))
    }

    @Test("A save that was lost isn't taken for somebody else's that has its number: history tells them apart")
    func lost() throws {
        let saving = try save(FaultServer(settings: Self.lateLog), tracksHistory: true, reachesServer: false)
        #expect(saving.names == [])
        #expect(saving.error?.userInfo["SQLSTATE"] as? String == "08006")
    }

    @Test("Without history nobody can know, and the error says so")
    func unknown() throws {
        let saving = try save(FaultServer(settings: Self.lateLog), tracksHistory: false, reachesServer: false)
        #expect(saving.names == [])
        #expect(saving.error?.userInfo["SQLSTATE"] as? String == "08007")
    }

    @Test("A save that was committed when the server broke down is known to be done, by history")
    func kept() throws {
        let saving = try save(FaultServer(settings: Self.lateLog), tracksHistory: true, reachesServer: true)
        #expect(saving.names == [["lost?"]])
        #expect(saving.error == nil)
    }
}
