import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB
import GRDBSQLite

@_exported import class FoundationCompat.NSComparisonPredicate

/// The string functions, registered with SQLite itself: `(string, string, options)`.
///
/// No value is boxed, and a right side that is the same for all rows is made ready once: SQLite keeps it beside the
/// statement (https://sqlite.org/c3ref/get_auxdata.html).
enum SQLiteStringFunctions {
    /// To be called once for every connection.
    static func register(in database: Database) throws {
        for function in SQLStringFunction.allCases {
            guard let test = function.test else { continue }
            let code = sqlite3_create_function_v2(
                database.sqliteConnection, function.rawValue, 3, SQLiteFunction.flags(isPure: true),
                Unmanaged.passRetained(Test(test)).toOpaque(),
                { context, _, arguments in
                    guard let context, let arguments else { return }
                    SQLiteStringFunctions.run(context, arguments)
                }, nil, nil,
                { test in
                    if let test { Unmanaged<Test>.fromOpaque(test).release() }
                })
            try SQLiteFunction.require(code)
        }
    }

    /// The operator of a function, as an object that SQLite can keep.
    private final class Test: Sendable {
        let test: PreparedStringTest.Operator

        init(_ test: PreparedStringTest.Operator) { self.test = test }
    }

    /// The place of the right side among the arguments.
    private static let operandPlace: Int32 = 1

    private static func run(_ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>) {
        guard let string = bytes(arguments[0]) else { return sqlite3_result_null(context) }
        do {
            if let known = sqlite3_get_auxdata(context, operandPlace) {
                let test = Unmanaged<PreparedStringTest>.fromOpaque(known).takeUnretainedValue()
                return sqlite3_result_int64(context, Int64(try test.result(string)))
            }
            guard let operand = bytes(arguments[1]), let kind = sqlite3_user_data(context) else {
                return sqlite3_result_null(context)
            }
            let options = NSComparisonPredicate.Options(rawValue: UInt(sqlite3_value_int64(arguments[2])))
            let test = PreparedStringTest(
                Unmanaged<Test>.fromOpaque(kind).takeUnretainedValue().test,
                String(decoding: operand, as: UTF8.self), options)
            sqlite3_result_int64(context, Int64(try test.result(string)))
            // SQLite may release it at once, so it isn't used after that.
            sqlite3_set_auxdata(context, operandPlace, Unmanaged.passRetained(test).toOpaque()) { test in
                if let test { Unmanaged<PreparedStringTest>.fromOpaque(test).release() }
            }
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }

    /// The text of an argument, valid until the function returns; nil for null.
    private static func bytes(_ argument: OpaquePointer?) -> UnsafeBufferPointer<UInt8>? {
        guard let argument, sqlite3_value_type(argument) != SQLITE_NULL, let text = sqlite3_value_text(argument) else {
            return nil
        }
        return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument)))
    }
}

extension SQLStringFunction {
    /// Nil where the function does something else than to compare strings.
    fileprivate var test: PreparedStringTest.Operator? {
        switch self {
        case .compare: return .order
        case .beginsWith: return .beginsWith
        case .endsWith: return .endsWith
        case .contains: return .contains
        case .like: return .like
        case .matches: return .matches
        case .text, .unpack: return nil
        }
    }
}
