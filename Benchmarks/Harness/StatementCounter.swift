import GRDBSQLite
import Synchronization

/// Counts the SQL statements of every connection that this process opens from now on, whoever opens it.
enum StatementCounter {
    private static let begun = Atomic<Int>(0)

    static var count: Int { begun.load(ordering: .relaxed) }

    static func install() {
        typealias EntryPoint = @convention(c) () -> Void
        let traceConnection:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
                OpaquePointer?
            ) -> Int32 = { connection, _, _ in
                sqlite3_trace_v2(
                    connection, UInt32(SQLITE_TRACE_STMT),
                    { _, _, _, text in
                        StatementCounter.note(text)
                        return 0
                    }, nil)
            }
        // SQLite declares the parameter without the arguments that it passes.
        sqlite3_auto_extension(unsafeBitCast(traceConnection, to: EntryPoint.self))
    }

    private static func note(_ text: UnsafeMutableRawPointer?) {
        // The statements inside triggers are told as comments.
        if let bytes = text?.assumingMemoryBound(to: UInt8.self), bytes[0] == UInt8(ascii: "-"),
            bytes[1] == UInt8(ascii: "-")
        {
            return
        }
        begun.wrappingAdd(1, ordering: .relaxed)
    }
}
