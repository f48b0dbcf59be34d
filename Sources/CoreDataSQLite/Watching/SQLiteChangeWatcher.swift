@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import Synchronization

// Safe: what isn't behind the lock is used on the watcher's queue.
/// Notices what any connection of any process commits to a store file.
///
/// The system reports when the file or its log is written. Whether that was a commit, SQLite's `data_version` shows,
/// which changes with each commit of another connection: <https://www.sqlite.org/pragma.html#pragma_data_version>.
package final class SQLiteChangeWatcher: @unchecked Sendable {
    private let queue = DispatchQueue(label: "CoreData.changes")
    private let report: @Sendable (Int64?) -> Void
    private let knownShape: SQLiteKnownHistoryShape
    private let url: URL
    /// Held while SQLite is asked, and not while `report` is called.
    private let state = Mutex(State())
    // The rest belongs to the queue.
    private var events: FolderEvents?
    private var pendingChecks = 0
    private var isCheckArranged = false

    private struct State {
        /// Nil until the file could be opened.
        var connection: DatabaseQueue?
        var version: Int64 = 0
        var isStopped = false
        var hasFailed = false
    }

    /// A commit writes the log first and then, without a further event, makes it known in shared memory: so the version is
    /// asked for again some time after an event. In seconds.
    private static let delays = [0, 0.01, 0.05, 0.25, 1]
    /// How long, in seconds, until a file that can't be opened is tried again.
    private static let retryDelay = 1.0

    /// - Parameter report: is given the number of the last transaction in the store's history, on a queue of the watcher's.
    package init(_ file: SQLiteFile, report: @escaping @Sendable (Int64?) -> Void) {
        self.report = report
        knownShape = file.knownHistoryShape
        url = file.url
        state.withLock { if !open(&$0) { retry() } }
        let names = Set([url, SQLiteStoreFiles(url).log].map(\.lastPathComponent))
        events = FolderEvents(url.deletingLastPathComponent(), names: names, queue: queue) { [weak self] in
            self?.checkSoon()
        }
    }

    /// To be called when this process has written to the file, so that it needn't wait for the system's event.
    func checkAfterOwnWrite() {
        queue.async { [weak self] in self?.check() }
    }

    /// Ends watching, and closes the connection. Nothing is reported that isn't being reported already.
    ///
    /// Doesn't wait for a report that is under way: its observer may be waiting for the caller.
    package func stop() {
        let connection = state.withLock { state in
            state.isStopped = true
            defer { state.connection = nil }
            return state.connection
        }
        // It has only read.
        try? connection?.close()
        queue.async { [self] in
            events?.stop()
            events = nil
        }
    }

    /// Opens the file. One that can't be opened now is tried again, as long as it is watched.
    private func open(_ state: inout State) -> Bool {
        var configuration = SQLiteConnection.hardened(label: "CoreData.changes", timeout: 1)
        configuration.readonly = true
        do {
            let connection = try DatabaseQueue(path: url.path, configuration: configuration)
            state.version = try connection.read(Self.dataVersion)
            state.connection = connection
            return true
        } catch {
            if !state.hasFailed {
                CoreDataLog.write(
                    "\(url.path) can't be watched for changes by others, and is tried again: \(error)", atLevel: 0)
            }
            state.hasFailed = true
            return false
        }
    }

    private func retry() {
        queue.asyncAfter(deadline: .now() + Self.retryDelay) { [weak self] in self?.check() }
    }

    private func checkSoon() {
        // One round of checks at a time: later events are looked at together, and extend the round by one.
        guard pendingChecks == 0 else {
            pendingChecks = 2
            return checkAmongOthers()
        }
        pendingChecks = 1
        schedule(0)
    }

    private func checkAmongOthers() {
        guard !isCheckArranged else { return }
        isCheckArranged = true
        queue.asyncAfter(deadline: .now() + Self.delays[1]) { [weak self] in
            self?.isCheckArranged = false
            self?.check()
        }
    }

    private func schedule(_ step: Int) {
        guard step < Self.delays.count else {
            pendingChecks -= 1
            if pendingChecks > 0 { schedule(0) }
            return
        }
        queue.asyncAfter(deadline: .now() + Self.delays[step]) { [weak self] in
            guard let self, !self.state.withLock({ $0.isStopped }) else { return }
            self.check()
            self.schedule(step + 1)
        }
    }

    private enum Outcome {
        case unchanged
        case unopened
        case changed(Int64?)
    }

    private func check() {
        switch state.withLock({ look(&$0) }) {
        case .unchanged: break
        case .unopened: retry()
        case .changed(let number): report(number)
        }
    }

    private func look(_ state: inout State) -> Outcome {
        if state.isStopped { return .unchanged }
        let wasOpen = state.connection != nil
        if !wasOpen, !open(&state) { return .unopened }
        guard let connection = state.connection else { return .unopened }
        do {
            let (version, knownShape) = (state.version, knownShape)
            let changed: (version: Int64, number: Int64?)? = try connection.read { database in
                let now = try Self.dataVersion(database)
                // What was written while the file couldn't be opened isn't known: it may have been anything.
                guard now != version || !wasOpen else { return nil }
                return (now, try SQLiteHistoryReader.lastTransactionNumber(in: database, knownShape: knownShape))
            }
            guard let changed else { return .unchanged }
            state.version = changed.version
            return .changed(changed.number)
        } catch {
            // The file is locked, or just being replaced; the next check or event will tell.
            return .unchanged
        }
    }

    private static func dataVersion(_ database: Database) throws -> Int64 {
        try database.value(Int64.self, "PRAGMA data_version") ?? 0
    }
}

extension SQLiteFile {
    /// Watches for commits to the file; nil where it is in memory only, or read through a copy.
    package func watch(_ report: @escaping @Sendable (Int64?) -> Void) -> SQLiteChangeWatcher? {
        guard !Self.isInMemory(url), !isReadOnly else { return nil }
        let watcher = SQLiteChangeWatcher(self, report: report)
        writeObserver.withLock { $0 = { [weak watcher] in watcher?.checkAfterOwnWrite() } }
        return watcher
    }
}
