@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import Synchronization

/// What a process knows of a store that other processes may change while it is open.
final class PostgreSQLStoreState: Sendable {
    private let history = Atomic(false)
    private let version = Atomic<Int64>(0)

    /// Whether the store keeps persistent history. Once it does, all that write to it record it there, whatever their options.
    var keepsHistory: Bool {
        get { history.load(ordering: .relaxed) }
        set { history.store(newValue, ordering: .relaxed) }
    }

    /// The version of the model that the store was opened with.
    var modelVersion: Int64 {
        get { version.load(ordering: .relaxed) }
        set { version.store(newValue, ordering: .relaxed) }
    }
}

/// The frame of a transaction that writes objects: what is looked at when all is written, and what history records of it.
struct PostgreSQLWriting {
    let schema: PostgreSQLSchema
    let state: PostgreSQLStoreState
    /// Who is told of the transaction; nil for no channel.
    let channel: String?

    /// Another process has begun to keep history since the transaction was begun; the next attempt records it.
    struct HistoryHasBegun: Error {}

    private var questions: [SQLFragment] {
        [
            "(SELECT \"model_version\" FROM \(schema.qualified(PostgreSQLName.store)))",
            PostgreSQLHistoryTables(schema).exist,
        ]
    }

    /// - Throws: an error where another process has migrated the store meanwhile.
    private func check(_ answers: [String?]) throws {
        guard answers[0] == String(state.modelVersion) else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                "The store in the schema \(schema.namespace) was migrated to another model, or replaced, since it was opened: open it "
                    + "again.")
        }
        if answers[1] == "true" { state.keepsHistory = true }
    }

    /// A recorder for a transaction; nil where the store keeps no history.
    func recorder(_ author: HistoryAuthor) -> PostgreSQLHistoryRecorder? {
        state.keepsHistory ? PostgreSQLHistoryRecorder(schema, author) : nil
    }

    /// Begins a transaction that can't be run a second time: from now on no store can begin to keep history.
    func begin(_ layout: EntityLayout, in connection: PostgreSQLConnection) throws {
        let table = schema.qualified(try schema.entity(layout).table)
        try check(connection.ask(questions, after: "LOCK TABLE \(table) IN ROW EXCLUSIVE MODE; "))
    }

    /// Ends a transaction but for the commit: checks the constraints, and writes history.
    ///
    /// - Returns: the number in the store's history; nil where it keeps none.
    /// - Throws: ``HistoryHasBegun``, which can't be where ``begin(_:in:)`` was called.
    func end(_ recorder: PostgreSQLHistoryRecorder?, in connection: PostgreSQLConnection) throws -> Int64? {
        guard let recorder else {
            try check(
                connection.checkConstraints(notifying: channel, asking: questions))
            if state.keepsHistory { throw HistoryHasBegun() }
            return nil
        }
        try check(connection.checkConstraints(asking: questions))
        return try recorder.write(in: connection, notifying: channel)
    }
}
