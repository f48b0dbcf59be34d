import CoreDataRows
import Foundation
import Synchronization

/// One state of a store: a connection of its own inside a transaction that lasts as long as this does.
///
/// The server keeps the rows of that state until then, so a state that is kept for hours makes tables grow.
final class PostgreSQLGeneration: StoreGeneration {
    private let address: PostgreSQLAddress
    /// Requests read one after the other.
    private let connection: Mutex<PostgreSQLConnection?>

    /// - Throws: ``PostgreSQLFailure``.
    init(_ address: PostgreSQLAddress) throws {
        self.address = address
        let connection = try PostgreSQLConnection(address, timeout: PostgreSQLPool.defaultTimeout)
        try connection.begin(.snapshot)
        // The state is that of the first statement.
        try connection.executeScript("SELECT 1")
        self.connection = Mutex(connection)
    }

    /// Reads the state.
    func read<Value>(_ body: (PostgreSQLConnection) throws -> Value) throws -> Value {
        // Safe: locked for one read after the other, on this thread; the result needn't be sendable.
        nonisolated(unsafe) let body = body
        nonisolated(unsafe) var value: Result<Value, any Error>?
        connection.withLock { connection in
            value = Result {
                guard let connection else {
                    throw CoreDataError.make(
                        NSPersistentStoreOperationError,
                        "\(address.description): the store was removed, and with it the state that the context is pinned to."
                    )
                }
                return try Self.read(connection, body)
            }
        }
        return try value!.get()
    }

    /// A statement that fails mustn't end the transaction.
    private static func read<Value>(_ connection: PostgreSQLConnection, _ body: (PostgreSQLConnection) throws -> Value)
        throws
        -> Value
    {
        try connection.executeScript("SAVEPOINT reading")
        do {
            let value = try body(connection)
            try connection.executeScript("RELEASE SAVEPOINT reading")
            return value
        } catch {
            // Where the connection is lost, so is the state: the next read says so.
            try? connection.executeScript("ROLLBACK TO SAVEPOINT reading")
            throw error
        }
    }

    func close() { connection.withLock { $0 = nil } }
}
