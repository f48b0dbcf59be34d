import CoreData
import CoreDataSQL
import Foundation
import TestSupport

@testable import CoreDataPostgreSQL

/// A server of the tests' own: a cluster in a temporary folder, which listens on a socket there and nowhere else, and is gone
/// when this process is, however it ends.
final class TestServer: Sendable {
    let folder: URL
    private let binaries: URL
    // It reads from this process, and comes to its end with it.
    private let guardian: RunningProgram

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let started = Result { try TestServer() }

    /// - Throws: why there is no server. A suite fails then rather than test nothing.
    static var shared: TestServer { get throws { try started.get() } }

    // MARK: Starting

    private init() throws {
        binaries = try Self.findBinaries()
        // A socket's path must be short.
        folder = URL(fileURLWithPath: "/tmp/ocd-postgres-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let user = getuid() == 0 ? try Self.unprivilegedUser() : nil
        let data = folder.appendingPathComponent("data")
        if let user { try Self.run("/bin/chown", ["-R", user, folder.path]) }
        try Self.run(
            prefix: user,
            binaries.appendingPathComponent("initdb").path,
            [
                "-D", data.path, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync",
                "--no-instructions",
            ])
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(folder.path)", "fsync=off", "synchronous_commit=off",
            "full_page_writes=off", "max_connections=120", "logging_collector=off", "log_min_messages=log",
            "shared_buffers=64MB", "deadlock_timeout=100ms",
            // Nobody replicates: a session that switches synchronous_commit on waits when it has committed.
            "synchronous_standby_names=nobody",
        ]
        // Waits until this process has ended, and then stops the server and removes the folder.
        let arguments =
            [
                "-c",
                """
                folder=$1; shift
                "$@" </dev/null >"$folder/log" 2>&1 &
                cat >/dev/null
                kill -QUIT "$(head -n 1 "$folder/data/postmaster.pid")" 2>/dev/null
                wait
                rm -rf "$folder"
                """,
                "sh", folder.path,
            ] + Self.prefixed(user, binaries.appendingPathComponent("postgres").path, ["-D", data.path])
            + settings.flatMap { ["-c", $0] }
        guardian = try RunningProgram("/bin/sh", arguments, input: .pipe)
        try waitUntilReady()
    }

    static func findBinaries() throws -> URL {
        let manager = FileManager.default
        var candidates: [String] = []
        if let given = ProcessInfo.processInfo.environment["COREDATA_POSTGRESQL_BIN"] { candidates.append(given) }
        let root = "/usr/lib/postgresql"
        // There is none where Debian's package isn't installed.
        let versions = (try? manager.contentsOfDirectory(atPath: root)) ?? []
        candidates += versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
        candidates += (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for candidate in candidates
        where ["initdb", "postgres"].allSatisfy({ manager.isExecutableFile(atPath: "\(candidate)/\($0)") }) {
            return URL(fileURLWithPath: candidate)
        }
        throw Failure(
            description:
                "PostgreSQL's server isn't installed, so its store can't be tested: Scripts/setup installs it (package postgresql), "
                + "or COREDATA_POSTGRESQL_BIN names the folder with initdb and postgres.")
    }

    /// The server refuses to run as root.
    static func unprivilegedUser() throws -> String {
        for name in ["postgres", "nobody"] where getpwnam(name) != nil { return name }
        throw Failure(description: "There is neither a user postgres nor nobody, as whom the server could run.")
    }

    static func prefixed(_ user: String?, _ program: String, _ arguments: [String]) -> [String] {
        (user.map { ["/sbin/runuser", "-u", $0, "--"] } ?? []) + [program] + arguments
    }

    static func run(prefix user: String? = nil, _ program: String, _ arguments: [String]) throws {
        let words = prefixed(user, program, arguments)
        let run = try ProgramRun(
            words[0], Array(words.dropFirst()), in: URL(fileURLWithPath: "/"), mergesErrors: true)
        guard run.succeeded else { throw Failure(description: "\(words.joined(separator: " ")): \(run.output)") }
    }

    private func waitUntilReady() throws {
        for _ in 0..<600 {
            if (try? execute("SELECT 1", in: "public")) != nil { return }
            usleep(100_000)
        }
        let log = (try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)) ?? ""
        throw Failure(description: "The server doesn't start: \(log)")
    }

    // MARK: Use

    /// The URL of a store in a schema of its own.
    func url(schema: String, parameters: String = "") -> URL {
        let name = schema.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? schema
        return URL(string: "postgresql:///postgres?host=\(folder.path)&user=tester&schema=\(name)\(parameters)")!
    }

    /// A schema that no other test has.
    static func freshSchema() -> String { "s" + UUID().uuidString.filter { $0 != "-" }.lowercased() }

    /// Executes statements as another program would, and gives the last one's rows as texts.
    @discardableResult
    func execute(_ sql: String, in schema: String) throws -> [[String]] {
        let connection = try PostgreSQLConnection(PostgreSQLAddress(url(schema: schema)), timeout: 10)
        try connection.executeScript("SET search_path TO \(.quoted(schema))")
        let result = try connection.execute(SQLFragment(sql))
        return (0..<result.count).map { row in
            (0..<result.columnCount).map { result.isNull(row, $0) ? "" : result.string(row, $0) }
        }
    }
}

/// A coordinator over one store of a server, and a context.
final class ServerStack {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore

    init(_ url: URL, _ model: NSManagedObjectModel, options: [String: Any] = [:]) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: url, options: options as [AnyHashable: Any])
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close() throws { for store in coordinator.persistentStores { try coordinator.remove(store) } }
}
