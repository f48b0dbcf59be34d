import CoreDataRows
import Dispatch
import Foundation
import Synchronization

/// The connections of one store: no more than a server should have to bear, handed out in the order in which they were asked for.
final class PostgreSQLPool: Sendable {
    let address: PostgreSQLAddress
    private let limit: Int
    private let timeout: Double
    private let state = Mutex(State())
    private let losses = Atomic(0)

    private struct State: Sendable {
        var idle: [PostgreSQLConnection] = []
        /// Those that are in use, and those that are being made.
        var busyCount = 0
        var waiting: [Waiter] = []
        var isClosed = false
    }

    /// A thread that waits for a connection.
    private final class Waiter: Sendable {
        let signal = DispatchSemaphore(value: 0)
        let answer = Mutex<Answer?>(nil)
    }

    private enum Answer: Sendable {
        case connection(PostgreSQLConnection)
        /// A connection may be made.
        case place
        case closed
    }

    static let defaultLimit = 8
    static let defaultTimeout = 30.0

    /// - Parameters:
    ///   - limit: how many connections there are at most.
    ///   - timeout: for how many seconds a request waits for one.
    init(_ address: PostgreSQLAddress, limit: Int = defaultLimit, timeout: Double = defaultTimeout) {
        self.address = address
        self.limit = max(1, limit)
        self.timeout = max(0, timeout)
    }

    /// The pool that a store's options ask for.
    convenience init(_ address: PostgreSQLAddress, options: [AnyHashable: Any]?) {
        let limit = (options?[NSPersistentStoreConnectionPoolMaxSizeKey] as? NSNumber)?.intValue
        let timeout = options?.seconds(NSPersistentStoreTimeoutOption)
        self.init(address, limit: limit ?? Self.defaultLimit, timeout: timeout ?? Self.defaultTimeout)
    }

    // MARK: Using a connection

    /// Does something with a connection, which goes back when it is done.
    func withConnection<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        let connection = try take().connection
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Reads something, and does so once more where a connection that was kept turns out to be lost: the server may have been
    /// started anew since it was used.
    func read<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        let (connection, isNew) = try take()
        do {
            defer { giveBack(connection) }
            return try body(connection)
        } catch let failure as PostgreSQLFailure where failure.isLostConnection && !isNew {
            state.withLock { $0.idle.removeAll() }
            return try withConnection(body)
        }
    }

    /// Runs a transaction. It is begun on another connection where one that was kept turns out to be lost.
    func transaction<Result>(
        _ isolation: PostgreSQLConnection.Isolation = .readCommitted, _ body: (PostgreSQLConnection) throws -> Result
    ) throws -> Result {
        let connection = try takeBegun(isolation)
        let result: Result
        do {
            result = try body(connection)
            // What is written must be known by something that can be asked for, should the answer to the commit be lost.
            if isolation == .readCommitted, !connection.isChecked { try connection.checkConstraints() }
        } catch {
            connection.rollBack()
            giveBack(connection)
            throw error
        }
        let written = connection.written
        do {
            defer { giveBack(connection) }
            try connection.commit()
        } catch let failure as PostgreSQLFailure where failure.isLostConnection {
            try settle(written, failure)
        }
        return result
    }

    /// How often a transaction is tried that others are in the way of: each time one of them has gone on.
    static let attempts = 10

    /// Runs a transaction, and again where it and others have waited for each other.
    func retryingTransaction<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
        for _ in 1..<Self.attempts {
            do {
                return try transaction(.readCommitted, body)
            } catch let failure as PostgreSQLFailure where failure.isTransient {
                continue
            }
        }
        return try transaction(.readCommitted, body)
    }

    private func takeBegun(_ isolation: PostgreSQLConnection.Isolation) throws -> PostgreSQLConnection {
        let (connection, isNew) = try take()
        do {
            try connection.begin(isolation)
            return connection
        } catch {
            giveBack(connection)
            guard !isNew, let failure = error as? PostgreSQLFailure, failure.isLostConnection else { throw error }
        }
        state.withLock { $0.idle.removeAll() }
        let other = try take().connection
        do {
            try other.begin(isolation)
            return other
        } catch {
            giveBack(other)
            throw error
        }
    }

    /// Asks the server what became of a transaction whose answer was lost.
    ///
    /// - Throws: what was in the way, where the transaction was rolled back; and where the server can't be asked.
    private func settle(_ written: PostgreSQLWrittenTransaction?, _ failure: PostgreSQLFailure) throws {
        guard let written else { throw failure }
        // The server may still be busy with it, or be starting again, or another one be taking its place.
        let end = Date(timeIntervalSinceNow: max(timeout, Self.shortestSettling))
        var outcome = PostgreSQLWrittenTransaction.Outcome.open
        while true {
            state.withLock { $0.idle.removeAll() }
            // As long as the server can't be asked, it is asked again; the error after the last time says so.
            outcome = (try? withConnection { try written.outcome($0) }) ?? .open
            guard case .open = outcome, Date() < end, !state.withLock({ $0.isClosed }) else { break }
            Thread.sleep(forTimeInterval: Self.settlingPause)
        }
        var settled = failure
        switch outcome {
        case .committed: return
        case .rolledBack:
            settled.message += ". The server was asked whether the transaction was committed, and it wasn't"
        case .open, .unknown:
            settled.state = PostgreSQLFailure.unknownOutcome
            settled.message +=
                ". The connection was lost while the transaction was being committed, and "
                + (outcome == .open ? "the server can't be asked" : "the server doesn't know any more")
                + " whether it was"
        }
        throw settled
    }

    /// For how many seconds at least it is tried to ask.
    private static let shortestSettling = 5.0
    private static let settlingPause = 0.25

    /// How many connections were lost. What the server has said before that may be lost as well.
    var lossCount: Int { losses.load(ordering: .sequentiallyConsistent) }

    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            state.idle.removeAll()
            defer { state.waiting.removeAll() }
            return state.waiting
        }
        for waiter in waiting { wake(waiter, .closed) }
    }

    // MARK: Handing out

    private enum Turn {
        case answered(Answer)
        case wait(Waiter)
    }

    private func take() throws -> (connection: PostgreSQLConnection, isNew: Bool) {
        let turn = state.withLock { state -> Turn in
            if state.isClosed { return .answered(.closed) }
            if let connection = state.idle.popLast() {
                state.busyCount += 1
                return .answered(.connection(connection))
            }
            if state.busyCount < limit {
                state.busyCount += 1
                return .answered(.place)
            }
            let waiter = Waiter()
            state.waiting.append(waiter)
            return .wait(waiter)
        }
        let answer: Answer
        switch turn {
        case .answered(let known): answer = known
        case .wait(let waiter): answer = try wait(waiter)
        }
        switch answer {
        case .connection(let connection): return (connection, false)
        case .place: return (try make(), true)
        case .closed:
            throw CoreDataError.make(NSPersistentStoreOperationError, "\(address.description): the store is closed.")
        }
    }

    private func wait(_ waiter: Waiter) throws -> Answer {
        if waiter.signal.wait(timeout: .now() + timeout) == .timedOut {
            state.withLock { $0.waiting.removeAll { $0 === waiter } }
        }
        // The answer may have come while the list was being searched.
        if let answer = waiter.answer.withLock({ $0 }) { return answer }
        throw CoreDataError.make(
            NSPersistentStoreTimeoutError,
            "\(address.description): all \(limit) connections were in use for \(timeout) seconds. "
                + "NSPersistentStoreConnectionPoolMaxSizeKey says how many there are, NSPersistentStoreTimeoutOption how long to wait."
        )
    }

    private func make() throws -> PostgreSQLConnection {
        do {
            return try PostgreSQLConnection(address, timeout: timeout)
        } catch {
            leavePlace()
            throw error
        }
    }

    private func giveBack(_ connection: PostgreSQLConnection) {
        guard connection.isUsable else {
            // libpq may have failed to send, and not have read yet that nobody is there.
            losses.add(1, ordering: .sequentiallyConsistent)
            return leavePlace()
        }
        let next = state.withLock { state -> Waiter? in
            if state.isClosed {
                state.busyCount -= 1
                return nil
            }
            if !state.waiting.isEmpty { return answerFirst(&state, .connection(connection)) }
            state.busyCount -= 1
            state.idle.append(connection)
            return nil
        }
        next?.signal.signal()
    }

    /// Lets the next one make a connection in the place of one that is gone.
    private func leavePlace() {
        let next = state.withLock { state -> Waiter? in
            if !state.waiting.isEmpty { return answerFirst(&state, .place) }
            state.busyCount -= 1
            return nil
        }
        next?.signal.signal()
    }

    private func answerFirst(_ state: inout State, _ answer: Answer) -> Waiter {
        let waiter = state.waiting.removeFirst()
        waiter.answer.withLock { $0 = answer }
        return waiter
    }

    private func wake(_ waiter: Waiter, _ answer: Answer) {
        waiter.answer.withLock { $0 = answer }
        waiter.signal.signal()
    }
}
