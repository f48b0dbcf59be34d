import CoreDataSQL
import Foundation

/// A transaction that has written something, as another connection can ask for it where the answer to its COMMIT was lost.
///
/// The server knows of each transaction number what became of it. But a number is only lasting once the server's log is: after a
/// crash, and on a replica that has taken the server's place, the numbers of transactions that were lost are given out again. A
/// transaction of somebody else would then answer for this one. So "committed" counts where the server has run without a crash
/// since, or where history has this transaction's own entry. That it was not committed, and that there never was such a
/// number, are certain: a transaction that is kept keeps its number.
struct PostgreSQLWrittenTransaction: Sendable {
    /// What is asked inside the transaction, as the expressions of a `SELECT`.
    ///
    /// Statistics don't outlive a crash, and a replica has its own, so the time of their beginning tells one run of a server from
    /// another. Unlike the time at which the server was started it shows crashes that the server itself has recovered from.
    static let questions: [SQLFragment] = ["pg_current_xact_id_if_assigned()", run]
    private static let run: SQLFragment = "pg_stat_get_bgwriter_stat_reset_time()"

    private let number: String
    private let run: String?
    /// Nil where the store keeps no history.
    var entry: HistoryEntry?

    /// The row that history has for a transaction. Two that get the same number, as the first one was lost, have different times.
    struct HistoryEntry: Sendable {
        /// The tables of transactions and of the last numbers, as they stand in statements.
        let transactions: SQLFragment
        let numbers: SQLFragment
        let number: Int64
        let timestamp: Double
    }

    enum Outcome {
        case committed, rolledBack
        /// The server is still busy with it, or isn't the one to be asked yet.
        case open
        /// The server doesn't know any more.
        case unknown
    }

    /// - Parameter answers: the answers to ``questions``. Nil where the transaction has written nothing.
    init?(_ answers: [String?]) {
        guard let number = answers[0] else { return nil }
        self.number = number
        run = answers[1]
    }

    /// Asks the server what became of the transaction.
    ///
    /// - Throws: ``PostgreSQLFailure``, where it can't be asked.
    func outcome(_ connection: PostgreSQLConnection) throws -> Outcome {
        // What is recovering, or a replica, may still receive the commit.
        guard try connection.ask(["pg_is_in_recovery()"]) == ["false"] else { return .open }
        let answers: [String?]
        do {
            answers = try connection.ask(["pg_xact_status(CAST(\(.constant(number)) AS xid8))", Self.run])
        } catch let failure as PostgreSQLFailure where failure.state == PostgreSQLFailure.invalidParameter {
            // The number is still to come: the transaction was lost with the server's last moments.
            return .rolledBack
        }
        switch answers[0] {
        case "committed": return answers[1] != nil && answers[1] == run ? .committed : try outcomeInHistory(connection)
        case "aborted": return .rolledBack
        case "in progress": return .open
        // So long ago that the server has forgotten.
        default: return .unknown
        }
    }

    /// What history says of a transaction whose number may be another one's now. Asked after its status, as a statement sees what
    /// was committed when it began.
    private func outcomeInHistory(_ connection: PostgreSQLConnection) throws -> Outcome {
        guard let entry else { return .unknown }
        var parameters = PostgreSQLParameters()
        parameters.append(entry.number)
        let result = try connection.execute(
            """
            SELECT (SELECT "timestamp" FROM \(entry.transactions) WHERE "number" = $1), "last_transaction" \
            FROM \(entry.numbers)
            """, parameters)
        guard result.count == 1 else { return .unknown }
        if !result.isNull(0, 0) { return result.double(0, 0) == entry.timestamp ? .committed : .rolledBack }
        // Where the number was given out, somebody has deleted what there was of it.
        return result.int8(0, 1) < entry.number ? .rolledBack : .unknown
    }
}
