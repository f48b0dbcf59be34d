import CLibPQ
import CoreDataSQL
import Foundation
import Synchronization

// Safe: one thread has it at a time, which the pool sees to.
/// One connection to a server.
final class PostgreSQLConnection: @unchecked Sendable {
    let handle: OpaquePointer
    private let preparesStatements: Bool
    /// The names of the statements that the server keeps, by text and types of parameters.
    private var names: [String: String] = [:]
    /// The texts that were executed once. A statement is kept from the second time on.
    private var executedOnce: Set<String> = []
    private var lastName = 0
    /// The transaction under way, where it has written something and its constraints were checked.
    private(set) var written: PostgreSQLWrittenTransaction?
    /// Whether the constraints of the transaction under way were checked.
    private(set) var isChecked = false

    private static let mostStatements = 500

    /// - Throws: ``PostgreSQLFailure``.
    init(_ address: PostgreSQLAddress, timeout: Double) throws {
        var parameters = address.parameters.filter { $0.keyword != "client_encoding" }
        func add(_ keyword: String, _ value: String) {
            if address.value(of: keyword) == nil {
                parameters.append(PostgreSQLAddress.Parameter(keyword: keyword, value: value))
            }
        }
        parameters.append(PostgreSQLAddress.Parameter(keyword: "client_encoding", value: "UTF8"))
        add("fallback_application_name", ProcessInfo.processInfo.processName)
        // libpq counts whole seconds, and takes less than two for two.
        add("connect_timeout", String(max(2, Int(min(timeout, 3600).rounded(.up)))))
        var keywords: [UnsafeMutablePointer<CChar>?] = parameters.map { strdup($0.keyword) } + [nil]
        var values: [UnsafeMutablePointer<CChar>?] = parameters.map { strdup($0.value) } + [nil]
        defer { for text in keywords + values { free(text) } }
        let opened = keywords.withUnsafeMutableBufferPointer { keywords in
            values.withUnsafeMutableBufferPointer { values in
                keywords.withMemoryRebound(to: UnsafePointer<CChar>?.self) { keywords in
                    values.withMemoryRebound(to: UnsafePointer<CChar>?.self) { values in
                        PQconnectdbParams(keywords.baseAddress, values.baseAddress, 0)
                    }
                }
            }
        }
        guard let opened else { throw PostgreSQLFailure("there is no memory for a connection") }
        handle = opened
        preparesStatements = address.preparesStatements
        guard PQstatus(handle) == CONNECTION_OK else { throw PostgreSQLFailure(nil, of: opened) }
        // What the server remarks goes nowhere instead of to standard error.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// Whether it can be used again.
    var isUsable: Bool { PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE }

    // MARK: Statements

    /// Executes one statement, with its bindings as parameters.
    ///
    /// - Throws: ``PostgreSQLFailure``.
    @discardableResult
    func execute(_ statement: SQLFragment) throws -> PostgreSQLResult {
        // The text of a fragment without bindings is the server's already.
        if statement.bindings.isEmpty { return try send(text(statement), PostgreSQLParameters()) }
        let numbered = PostgreSQLStatement(statement)
        return try send(Self.whole(numbered.sql), numbered.parameters)
    }

    /// Executes one statement without bindings: the values of its `$1`, `$2` … stand beside it.
    ///
    /// - Throws: ``PostgreSQLFailure``.
    @discardableResult
    func execute(_ statement: SQLFragment, _ parameters: PostgreSQLParameters) throws -> PostgreSQLResult {
        try send(text(statement), parameters)
    }

    /// The text of a fragment without bindings.
    private func text(_ statement: SQLFragment) throws -> String {
        precondition(statement.bindings.isEmpty, "bindings and numbered parameters don't go together")
        return try Self.whole(statement.text)
    }

    /// A text that libpq reads to its end.
    private static func whole(_ sql: String) throws -> String {
        guard !sql.utf8.contains(0) else {
            throw PostgreSQLFailure("a statement has a NUL in it", state: PostgreSQLFailure.syntaxError)
        }
        return sql
    }

    private func send(_ sql: String, _ parameters: PostgreSQLParameters) throws -> PostgreSQLResult {
        let name = try preparesStatements ? preparedName(sql, parameters.types, always: false) : nil
        return try parameters.withPointers { pointers in
            if let name {
                return try checked(
                    PQexecPrepared(
                        handle, name, pointers.count, pointers.values, pointers.lengths, pointers.formats, 1))
            }
            return try checked(
                PQexecParams(
                    handle, sql, pointers.count, pointers.types, pointers.values, pointers.lengths, pointers.formats, 1)
            )
        }
    }

    /// Executes several statements without parameters, as a script of definitions is.
    func executeScript(_ script: SQLFragment) throws { _ = try run(script) }

    /// Executes statements without parameters; the answer is that of the last.
    func run(_ script: SQLFragment) throws -> PostgreSQLResult { try checked(PQexec(handle, text(script))) }

    private func checked(_ result: OpaquePointer?) throws -> PostgreSQLResult {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_COPY_IN, PGRES_COPY_OUT:
            if let result { return PostgreSQLResult(result) }
            throw PostgreSQLFailure(nil, of: handle)
        default:
            defer { PQclear(result) }
            throw PostgreSQLFailure(result, of: handle)
        }
    }

    /// The name of a prepared statement; nil for one that is executed for the first time, unless it is needed.
    private func preparedName(_ sql: String, _ types: [PostgreSQLType], always: Bool) throws -> String? {
        let key = types.reduce(into: sql) { $0 += "\u{0}\($1.rawValue)" }
        if let name = names[key] { return name }
        if !always, executedOnce.insert(key).inserted {
            if executedOnce.count > Self.mostStatements * 2 { executedOnce.removeAll() }
            return nil
        }
        if names.count >= Self.mostStatements {
            try executeScript("DEALLOCATE ALL")
            names.removeAll()
        }
        lastName += 1
        let name = "s\(lastName)"
        let oids = types.map(\.rawValue)
        _ = try checked(PQprepare(handle, name, sql, Int32(oids.count), oids))
        names[key] = name
        return name
    }

    // MARK: Many at once

    /// How many statements are on their way at once: their answers have to fit into the socket's buffers.
    private static let pipelined = 256

    /// Executes a statement without bindings once for each of these parameters, without waiting for the answers in between.
    ///
    /// - Parameter each: receives the answers, in the order of the parameters.
    func execute(
        _ statement: SQLFragment, each rows: [PostgreSQLParameters],
        _ each: (PostgreSQLResult) throws -> Void = { _ in }
    ) throws {
        guard let first = rows.first else { return }
        let sql = try text(statement)
        if rows.count == 1 { return try each(send(sql, first)) }
        let name = try preparesStatements ? preparedName(sql, first.types, always: true) : nil
        for start in stride(from: 0, to: rows.count, by: Self.pipelined) {
            let answers = try runPipeline(sql, name, rows[start..<min(start + Self.pipelined, rows.count)])
            for answer in answers { try each(answer) }
        }
    }

    private func runPipeline(_ sql: String, _ name: String?, _ rows: ArraySlice<PostgreSQLParameters>) throws
        -> [PostgreSQLResult]
    {
        guard PQenterPipelineMode(handle) == 1 else { throw PostgreSQLFailure(nil, of: handle) }
        defer { PQexitPipelineMode(handle) }
        for row in rows {
            let sent = row.withPointers { pointers in
                if let name {
                    return PQsendQueryPrepared(
                        handle, name, pointers.count, pointers.values, pointers.lengths, pointers.formats, 1)
                }
                return PQsendQueryParams(
                    handle, sql, pointers.count, pointers.types, pointers.values, pointers.lengths, pointers.formats, 1)
            }
            guard sent == 1 else { throw PostgreSQLFailure(nil, of: handle) }
        }
        guard PQpipelineSync(handle) == 1 else { throw PostgreSQLFailure(nil, of: handle) }
        var answers: [PostgreSQLResult] = []
        var failure: PostgreSQLFailure?
        while true {
            // A null stands between the answers of two statements.
            guard let result = PQgetResult(handle) else {
                if PQstatus(handle) != CONNECTION_OK { throw failure ?? PostgreSQLFailure(nil, of: handle) }
                continue
            }
            let answer = PostgreSQLResult(result)
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                if let failure { throw failure }
                return answers
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: answers.append(answer)
            case PGRES_PIPELINE_ABORTED: break
            default: if failure == nil { failure = PostgreSQLFailure(result, of: handle) }
            }
        }
    }

    /// Waits until something is told on a channel that the connection listens to, and takes all that was told.
    ///
    /// - Returns: what was told.
    func waitForNotifications(milliseconds: Int32) throws -> [String] {
        var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        _ = poll(&descriptor, 1, milliseconds)
        guard PQconsumeInput(handle) == 1 else { throw PostgreSQLFailure(nil, of: handle) }
        var told: [String] = []
        while let notification = PQnotifies(handle) {
            told.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
            PQfreemem(notification)
        }
        return told
    }

    // MARK: Transactions

    /// How a transaction sees what others commit meanwhile.
    enum Isolation {
        case readCommitted
        /// One state for all of its statements.
        case snapshot
    }

    func begin(_ isolation: Isolation) throws {
        written = nil
        isChecked = false
        switch isolation {
        case .readCommitted: try executeScript("BEGIN ISOLATION LEVEL READ COMMITTED")
        case .snapshot: try executeScript("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        }
    }

    /// Checks what is otherwise checked at the commit, when it would be too late to do anything about it; and remembers by what
    /// another connection can ask what became of the transaction.
    ///
    /// - Parameters:
    ///   - channel: who is told when the transaction is committed; nil for no channel.
    ///   - questions: what else is to be asked, as the expressions of a `SELECT`.
    /// - Returns: the answers, as texts.
    @discardableResult
    func checkConstraints(notifying channel: String? = nil, asking questions: [SQLFragment] = []) throws -> [String?] {
        let notification: SQLFragment = channel.map { "NOTIFY \(.quoted($0)); " } ?? ""
        let answers = try ask(
            PostgreSQLWrittenTransaction.questions + questions, after: "SET CONSTRAINTS ALL IMMEDIATE; \(notification)")
        written = PostgreSQLWrittenTransaction(answers)
        isChecked = true
        return Array(answers.dropFirst(PostgreSQLWrittenTransaction.questions.count))
    }

    /// Remembers the transaction's entry in history: see ``PostgreSQLWrittenTransaction``.
    func remember(_ entry: PostgreSQLWrittenTransaction.HistoryEntry) { written?.entry = entry }

    /// Executes statements without parameters, and then asks for values: one round trip.
    ///
    /// - Returns: the values, as texts.
    func ask(_ questions: [SQLFragment], after script: SQLFragment = "") throws -> [String?] {
        // Of several statements the last one's answer comes back, as texts.
        let list = questions.map { "CAST(\($0) AS text)" as SQLFragment }.joined(separator: ", ")
        let result = try run("\(script)SELECT \(list)")
        return (0..<Int32(questions.count)).map { column in
            result.count > 0 && !result.isNull(0, column) ? result.string(0, column) : nil
        }
    }

    /// - Throws: ``PostgreSQLFailure``, also where the server rolls back as a statement has failed, which it doesn't call an error.
    func commit() throws {
        let answer = try run("COMMIT")
        guard answer.command == "COMMIT" else {
            throw PostgreSQLFailure(
                "the transaction was rolled back, as a statement in it had failed",
                state: PostgreSQLFailure.failedTransaction)
        }
    }

    /// Ends the transaction without what it has done.
    // Where the connection is lost, the server rolls back by itself; the pool closes such a connection.
    func rollBack() { try? executeScript("ROLLBACK") }
}
