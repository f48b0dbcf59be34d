import CLibPQ
import CoreDataRows
import Foundation

/// What the server or libpq says against a statement or a connection.
struct PostgreSQLFailure: Error, Sendable {
    /// The five characters of SQLSTATE.
    var state: String
    var message: String
    var detail: String?
    var schema: String?
    var table: String?
    var column: String?
    var constraint: String?

    /// Of a result that isn't one.
    init(_ result: OpaquePointer?, of connection: OpaquePointer) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        // The letters of PG_DIAG_… in postgres_ext.h.
        // libpq has no state for what it says itself, after which the connection is of no use.
        state = field(Int32(UInt8(ascii: "C"))) ?? Self.connectionFailure
        message =
            field(Int32(UInt8(ascii: "M")))
            ?? String(cString: PQerrorMessage(connection)).trimmingCharacters(in: .whitespacesAndNewlines)
        detail = field(Int32(UInt8(ascii: "D")))
        schema = field(Int32(UInt8(ascii: "s")))
        table = field(Int32(UInt8(ascii: "t")))
        column = field(Int32(UInt8(ascii: "c")))
        constraint = field(Int32(UInt8(ascii: "n")))
    }

    init(_ message: String, state: String = "") {
        self.state = state
        self.message = message
    }

    /// Whether the connection is of no use any more.
    var isLostConnection: Bool {
        state.isEmpty || state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05"].contains(state)
    }

    static let syntaxError = "42601"
    static let connectionFailure = "08006"
    /// SQL's name for it is "transaction resolution unknown".
    static let unknownOutcome = "08007"
    static let invalidParameter = "22023"
    static let failedTransaction = "25P02"

    /// Whether the same transaction may succeed when it is run again, as the others that were in its way have ended.
    var isTransient: Bool { ["40001", "40P01"].contains(state) }
    var isUniqueViolation: Bool { state == "23505" }
    var isForeignKeyViolation: Bool { state == "23503" }

    /// Whether the server can't compute what the statement asks: a number that is out of range, an operator that its types
    /// don't have. Evaluation in memory may be able to.
    var isOfComputation: Bool {
        state.hasPrefix("22") || ["42P10", "42803", "42883", "42804", "42846", "42725"].contains(state)
    }
}

extension PostgreSQLFailure {
    /// The keys of the user info that have what the server says beyond its message.
    enum InfoKey {
        static let state = "SQLSTATE"
        static let table = "table"
        static let column = "column"
        static let constraint = "constraint"
    }

    /// The error that clients get.
    func error(_ code: Int, at place: PostgreSQLAddress) -> NSError {
        var info: [String: Any] = [InfoKey.state: state]
        info[InfoKey.table] = table
        info[InfoKey.column] = column
        info[InfoKey.constraint] = constraint
        var text = "\(place.description): \(message)"
        if let detail { text += " (\(detail))" }
        if !state.isEmpty { text += " [\(state)]" }
        if let hint { text += ". \(hint)" }
        return CoreDataError.make(self.code ?? code, text, info)
    }

    private var code: Int? {
        switch state {
        case "55P03", "57014": NSPersistentStoreTimeoutError
        case "23503": NSManagedObjectReferentialIntegrityError
        case "23505": NSManagedObjectConstraintMergeError
        // The same as where a file finds no room.
        case "53100": CocoaError.fileWriteOutOfSpace.rawValue
        default: nil
        }
    }

    private var hint: String? {
        switch state {
        case "42501": "The role lacks a privilege: GRANT it, or make the store with a role that owns the schema."
        case "23503":
            "Another writer has deleted an object that the save leads to, or the save deletes one that another writer's leads to."
        case "42703", "42P01", "0A000":
            "The store was migrated to another model, or its tables were changed, since it was opened."
        case "3D000": "CREATE DATABASE makes one."
        case "53100": "The server's disk is full. Nothing of the transaction was written."
        case "53300": "Lower the store's number of connections, or put a pool such as pgbouncer before the server."
        case "25006": "The server is a replica, or the transaction only reads: ask for target_session_attrs=read-write."
        default: nil
        }
    }
}
