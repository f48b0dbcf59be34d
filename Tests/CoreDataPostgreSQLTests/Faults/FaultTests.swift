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

        private func fillAndClear(_ run: FaultRun, _ cleared: () throws -> Void = {}) throws -> Int {
            var fills = 0
            try run.repeating(every: 1...2) {
                try disk.fill()
                Thread.sleep(forTimeInterval: .random(in: 1...2))
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

        @Test("with the server's log on it: the server breaks down, and is started again")
        func log() throws {
            defer { disk.remove() }
            let wal = folder.url.appendingPathComponent("wal")
            try FileManager.default.createDirectory(at: wal, withIntermediateDirectories: true)
            let server = try FaultServer(settings: Self.growingLog, wal: wal)
            let run = try FaultRun(server)
            var starts = 0
            let fills = try fillAndClear(run) { starts += try server.startIfStopped() ? 1 : 0 }
            let check = try run.check(on: server, "\(fills) times full of log, \(starts) starts")
            try server.stop()
            #expect(fills > 1 && starts > 0 && check["saved"] > 20)
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
