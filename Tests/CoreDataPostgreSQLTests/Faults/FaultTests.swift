import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataPostgreSQL

/// Nothing lost, nothing twice, both sides of each relationship, history without gaps: see ``WorkCheck``. One after the other, as
/// each of them keeps sixteen writers busy.
@Suite("Sixteen writers of two processes lose nothing and do nothing twice", .serialized)
enum FaultTests {}

extension FaultTests {
    @Suite("where the server breaks down")
    struct Restarts {
        @Test("and is started again")
        func immediate() throws {
            let server = try FaultServer()
            let run = try FaultRun(server)
            var restarts = 0
            // In the long form every 20 seconds.
            let pause = min(20, FaultRun.seconds / 4)
            try run.repeating(every: pause * 0.8...pause * 1.2) {
                try server.restart()
                restarts += 1
            }
            let check = try run.check(on: server, "\(restarts) restarts")
            #expect(restarts > 1 && check["saved"] > 20)
        }
    }

    @Suite("that are killed")
    struct Kills {
        @Test("and started again")
        func killed() throws {
            let server = try FaultServer()
            let run = try FaultRun(server)
            var kills = 0
            try run.repeating(every: 0.3...1.5) {
                try run.processes.randomElement()?.killAndStart()
                kills += 1
            }
            let check = try run.check(on: server, "\(kills) kills")
            #expect(kills > 1 && check["saved"] > 20)
            #expect(check["killed, saved"] + check["killed, not saved"] > 0)
        }
    }

    @Suite("whose connections are cut")
    struct Cuts {
        @Test("at random bytes, before a commit, and between a commit and its answer")
        func cut() throws {
            let server = try FaultServer()
            let proxy = try CuttingProxy(to: server)
            defer { proxy.stop() }
            let run = try FaultRun(server, byWayOf: proxy.url)
            Thread.sleep(until: run.end)
            let check = try run.check(on: server, "\(proxy.summary)")
            #expect(check["saved"] > 20)
            #expect(proxy.summary.filter { $0.key.hasPrefix("after") }.values.reduce(0, +) > 0)
            // The server is there all the time, so it can be asked.
            #expect(check["unknown, saved"] + check["unknown, not saved"] == 0)
        }
    }

    @Suite("where the server's disk is full now and then", .enabled(if: SmallDisk.canBeMade, "nothing can be mounted"))
    struct FullDisks {
        private let folder: TemporaryFolder
        private let disk: SmallDisk

        init() throws {
            folder = try TemporaryFolder()
            disk = try SmallDisk(at: folder.url, kilobytes: 65_536)
        }

        /// - Parameters:
        ///   - hold: for how many seconds it is full.
        ///   - hasBroken: whether the disk has been full for long enough.
        ///   - cleared: what is done when there is room again.
        private func fillAndClear(
            _ run: FaultRun, for hold: ClosedRange<Double> = 1...2, until hasBroken: () -> Bool = { false },
            _ cleared: () throws -> Void = {}
        ) throws -> Int {
            var fills = 0
            try run.repeating(every: 1...2) {
                try disk.fill()
                let latest = Date(timeIntervalSinceNow: .random(in: hold))
                while Date() < latest, !hasBroken() { usleep(20_000) }
                try disk.clear(kilobytes: 16_384)
                fills += 1
                try cleared()
            }
            return fills
        }

        @Test("with the tables on it: the server refuses what has no room")
        func tables() throws {
            defer { disk.remove() }
            let server = try FaultServer()
            let space = folder.url.appendingPathComponent("space")
            try FileManager.default.createDirectory(at: space, withIntermediateDirectories: true)
            try server.own(folder.url)
            try server.execute("CREATE TABLESPACE small LOCATION '\(space.path)'")
            try server.execute("ALTER DATABASE postgres SET default_tablespace = 'small'")
            let run = try FaultRun(server)
            let fills = try fillAndClear(run)
            let check = try run.check(on: server, "\(fills) times full of tables")
            try server.stop()
            #expect(fills > 1 && check["saved"] > 20 && check["failed"] > 0)
        }

        /// Each part of the log is a new file, which needs room, and the old ones go when a checkpoint has come.
        private static let growingLog = [
            "wal_recycle=off", "min_wal_size=2MB", "max_wal_size=1GB", "checkpoint_timeout=30s",
        ]

        /// Fills the file of the log, so that another one is needed.
        private static let nextFile =
            "SELECT CAST(pg_logical_emit_message(false, '', repeat('x', 1000000)) AS text), pg_switch_wal()::text"

        @Test("with the server's log on it: the server breaks down, and is started again")
        func log() throws {
            defer { disk.remove() }
            let wal = folder.url.appendingPathComponent("wal")
            try FileManager.default.createDirectory(at: wal, withIntermediateDirectories: true)
            let server = try FaultServer(settings: Self.growingLog, wal: wal)
            // The making of the cluster has left files for what is to come, which need no room.
            for _ in 0..<200 where try FileManager.default.contentsOfDirectory(atPath: wal.path).count > 5 {
                try server.execute(Self.nextFile)
                try server.execute("CHECKPOINT")
            }
            let run = try FaultRun(server)
            var starts = 0
            func breakdowns() -> Int { server.log.components(separatedBy: "PANIC: ").count - 1 }
            var before = 0
            func hasBroken() -> Bool {
                // On a busy machine the writers may write too little. What is asked next is whether this broke the server.
                _ = try? server.execute(Self.nextFile)
                return breakdowns() > before
            }
            let fills = try fillAndClear(run, for: 6...6, until: hasBroken) {
                starts += try server.startIfStopped() ? 1 : 0
                before = breakdowns()
            }
            let what = "\(fills) times full of log, \(before) breakdowns, started again \(starts) times"
            let check = try run.check(on: server, what)
            try server.stop()
            #expect(before > 0 && check["saved"] > 20)
        }
    }

    @Suite("where a replica takes the place of the server")
    struct Failover {
        @Test("in the middle of it")
        func promotion() throws {
            let first = try FaultServer()
            let second = try FaultServer(replicaOf: first)
            let run = try FaultRun(first, byWayOf: FaultServer.url([first.folder, second.folder]))
            Thread.sleep(until: Date(timeIntervalSinceNow: FaultRun.seconds / 2))
            try first.stop()
            try second.promote()
            Thread.sleep(until: run.end)
            let check = try run.check(on: second, "failover")
            #expect(check["saved"] > 20)
        }
    }
}
