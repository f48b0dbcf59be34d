import Foundation
import GRDB

// Safe: all of it is used on the watcher's queue.
/// Notices what is committed to a store file, by whatever connection of whatever process.
///
/// The system tells when the file or its log is written; whether that was a commit is asked of SQLite, whose
/// `data_version` changes with each commit of another connection: <https://www.sqlite.org/pragma.html#pragma_data_version>.
final class SQLiteChangeWatcher: @unchecked Sendable {
    private let queue = DispatchQueue(label: "CoreData.changes")
    private let report: @Sendable (Int64?) -> Void
    private let tables: SQLiteHistoryTables
    // The rest belongs to the queue.
    private var connection: DatabaseQueue?
    private var events: FolderEvents?
    private var version: Int64 = 0
    private var pendingChecks = 0

    /// A commit writes the log first and then, without a further event, makes it known in shared memory: so the version is
    /// asked for again some time after an event. In seconds.
    private static let delays = [0, 0.01, 0.05, 0.25, 1]

    /// - Parameter report: is given the number of the last transaction in the store's history.
    init?(_ file: SQLiteFile, report: @escaping @Sendable (Int64?) -> Void) {
        self.report = report
        tables = file.historyTables
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "CoreData.changes"
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { try SQLiteConnection.distrustSchema($0) }
        guard let connection = try? DatabaseQueue(path: file.url.path, configuration: configuration) else { return nil }
        self.connection = connection
        version = (try? connection.read(Self.dataVersion)) ?? 0
        let name = file.url.lastPathComponent
        events = FolderEvents(file.url.deletingLastPathComponent(), names: [name, name + "-wal"], queue: queue) {
            [weak self] in self?.checkSoon()
        }
    }

    /// To be called when this process has written to the file, so that it need not wait for the system to tell.
    func noteWrite() {
        queue.async { [weak self] in self?.check() }
    }

    /// Ends watching, and closes the connection. Nothing is reported afterwards.
    func stop() {
        queue.sync {
            events?.stop()
            events = nil
            try? connection?.close()
            connection = nil
        }
    }

    private func checkSoon() {
        // One round of checks at a time: a later event extends it by one.
        guard pendingChecks == 0 else {
            pendingChecks = 2
            return
        }
        pendingChecks = 1
        schedule(0)
    }

    private func schedule(_ step: Int) {
        guard step < Self.delays.count else {
            pendingChecks -= 1
            if pendingChecks > 0 { schedule(0) }
            return
        }
        queue.asyncAfter(deadline: .now() + Self.delays[step]) { [weak self] in
            guard let self, self.connection != nil else { return }
            self.check()
            self.schedule(step + 1)
        }
    }

    private func check() {
        guard let connection else { return }
        do {
            let changed: (version: Int64, number: Int64?)? = try connection.read { database in
                let now = try Self.dataVersion(database)
                guard now != version else { return nil }
                return (now, try SQLiteHistoryReader.lastTransactionNumber(in: database, tables: tables))
            }
            guard let changed else { return }
            version = changed.version
            report(changed.number)
        } catch {
            // The file is locked, or just being replaced; the next check or event will tell.
        }
    }

    private static func dataVersion(_ database: Database) throws -> Int64 {
        try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0
    }
}

extension SQLiteFile {
    /// Watches for commits to the file; nil where it is in memory only, or read through a copy.
    func watch(_ report: @escaping @Sendable (Int64?) -> Void) -> SQLiteChangeWatcher? {
        guard !Self.isInMemory(url), !isReadOnly else { return nil }
        let watcher = SQLiteChangeWatcher(self, report: report)
        writeObserver.withLock { $0 = { [weak watcher] in watcher?.noteWrite() } }
        return watcher
    }
}
