import CoreDataSQL
import Foundation
import TestSupport

@testable import CoreDataPostgreSQL

/// A server of one test's own, which may break down: it loses nothing that it has said to be committed when it is stopped without
/// warning. Only a machine that loses power would show that it doesn't wait for the disk.
final class FaultServer: Sendable {
    /// Where its socket and its data are. A socket's path must be short.
    let folder = URL(fileURLWithPath: "/tmp/ocd-fault-\(UUID().uuidString.prefix(8))")
    private let binaries: URL
    private let user: String?
    // It reads from this process, and comes to its end with the object.
    private let guardian: RunningProgram

    private var data: URL { folder.appendingPathComponent("data") }

    // MARK: Making

    /// Makes a cluster and starts it.
    ///
    /// - Parameters:
    ///   - wal: an empty folder for the log that the server writes ahead; nil for one in the cluster.
    convenience init(settings: [String] = [], wal: URL? = nil) throws {
        try self.init()
        if let wal { try own(wal) }
        try run(
            "initdb",
            [
                "-D", data.path, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
                "--no-instructions",
            ] + (wal.map { ["--waldir=\($0.path)", "--wal-segsize=1"] } ?? []))
        try configure(
            [
                "listen_addresses=''", "fsync=off", "full_page_writes=off", "synchronous_commit=on",
                "max_connections=60", "shared_buffers=32MB", "deadlock_timeout=100ms", "logging_collector=off",
            ] + settings)
        try start()
    }

    /// Makes a replica that follows a server, and starts it. From then on the server's commits wait until the replica has them.
    convenience init(replicaOf server: FaultServer) throws {
        try self.init()
        try run(
            "pg_basebackup",
            [
                "-D", data.path, "-h", server.folder.path, "-U", "tester", "-R", "-X", "stream", "--checkpoint=fast",
                "--no-sync",
            ])
        try configure([])
        try start()
        for setting in ["synchronous_standby_names = '*'", "synchronous_commit = remote_apply"] {
            try server.execute("ALTER SYSTEM SET \(setting)")
        }
        try server.execute("SELECT CAST(pg_reload_conf() AS text)")
        for _ in 0..<200 {
            let states = try server.execute("SELECT sync_state FROM pg_stat_replication")
            if states == [["sync"]] { return }
            usleep(50_000)
        }
        throw TestServer.Failure(description: "The replica doesn't follow: \(log)")
    }

    private init() throws {
        binaries = try TestServer.findBinaries()
        user = getuid() == 0 ? try TestServer.unprivilegedUser() : nil
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let arguments = [
            "-c",
            """
            cat >/dev/null
            server=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
            if [ -n "$server" ]; then
                kill -QUIT "$server" 2>/dev/null
                # Where nobody waits for orphans, it stays to be seen.
                for attempt in $(seq 100); do kill -0 "$server" 2>/dev/null || break; sleep 0.1; done
            fi
            rm -rf "$1"
            """, "sh", folder.path,
        ]
        guardian = try RunningProgram("/bin/sh", arguments, input: .pipe)
        try own(folder)
    }

    /// Makes a folder the server's.
    func own(_ folder: URL) throws {
        if let user { try TestServer.run("/bin/chown", ["-R", user, folder.path]) }
    }

    private func configure(_ settings: [String]) throws {
        let file = try FileHandle(forWritingTo: data.appendingPathComponent("postgresql.conf"))
        try file.seekToEnd()
        let lines = settings + ["unix_socket_directories='\(folder.path)'"]
        try file.write(contentsOf: Data(("\n" + lines.joined(separator: "\n") + "\n").utf8))
        try file.close()
    }

    private func run(_ program: String, _ arguments: [String]) throws {
        try TestServer.run(prefix: user, binaries.appendingPathComponent(program).path, arguments)
    }

    // MARK: Faults

    private func control(_ arguments: [String]) throws {
        let log = folder.appendingPathComponent("log").path
        try run("pg_ctl", ["-D", data.path, "-w", "-t", "120", "-l", log] + arguments)
    }

    func start() throws { try control(["start"]) }

    /// Stops it as a power cut would, and starts it again.
    func restart() throws { try control(["restart", "-m", "immediate"]) }

    func stop() throws { try control(["stop", "-m", "immediate"]) }

    /// Starts it where it has stopped by itself.
    ///
    /// - Returns: whether it had.
    func startIfStopped() throws -> Bool {
        // The command fails where no server runs: that is what is asked.
        if (try? control(["status"])) != nil { return false }
        try start()
        return true
    }

    /// Makes a replica a server that can be written to.
    func promote() throws { try control(["promote"]) }

    /// What it has written of itself.
    var log: String {
        // It is for the message of a test that has failed already.
        (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? "there is no log"
    }

    // MARK: Use

    /// The URL of the store.
    var url: URL { Self.url([folder]) }

    /// The URL of the store on the first of these servers that can be written to.
    static func url(_ folders: [URL]) -> URL {
        let hosts = folders.map(\.path).joined(separator: ",")
        return URL(string: "postgresql:///postgres?host=\(hosts)&user=tester&target_session_attrs=read-write")!
    }

    /// Executes a statement as another program would, and gives its rows as texts.
    @discardableResult
    func execute(_ sql: String) throws -> [[String]] {
        let connection = try PostgreSQLConnection(PostgreSQLAddress(Self.url([folder])), timeout: 10)
        let result = try connection.run(SQLFragment(sql))
        return (0..<result.count).map { row in
            (0..<result.columnCount).map { result.isNull(row, $0) ? "" : result.string(row, $0) }
        }
    }
}
