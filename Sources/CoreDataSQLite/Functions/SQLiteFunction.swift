import Foundation
import GRDB
import GRDBSQLite

/// An SQL function that only statements of ours can call: triggers, views, indexes and defaults that a file's schema has can't, also
/// where that schema is trusted for its spatial indexes (`SQLITE_DIRECTONLY`, https://sqlite.org/c3ref/c_deterministic.html).
package struct SQLiteFunction: Sendable {
    private let name: String
    /// -1 for any number.
    private let argumentCount: Int32
    private let isPure: Bool
    private let definition: Definition

    private final class Definition: Sendable {
        let run: @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
        let makeAggregate: (@Sendable () -> any DatabaseAggregate)?

        init(
            run: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?,
            makeAggregate: (@Sendable () -> any DatabaseAggregate)? = nil
        ) {
            self.run = run
            self.makeAggregate = makeAggregate
        }
    }

    /// What SQLite keeps for one group of rows.
    private final class Group {
        var aggregate: any DatabaseAggregate
        var hasFailed = false

        init(_ aggregate: any DatabaseAggregate) { self.aggregate = aggregate }
    }

    /// - Parameters:
    ///   - argumentCount: nil for any number of arguments.
    ///   - isPure: whether the result depends on the arguments alone, so that SQLite may keep it.
    package init(
        _ name: String, argumentCount: Int? = nil, isPure: Bool,
        run: @escaping @Sendable ([DatabaseValue]) throws -> (any DatabaseValueConvertible)?
    ) {
        self.name = name
        self.argumentCount = argumentCount.map(Int32.init) ?? -1
        self.isPure = isPure
        definition = Definition(run: run)
    }

    /// A function of one argument over the rows of a group.
    init<Aggregate: DatabaseAggregate>(_ name: String, of type: Aggregate.Type) {
        self.name = name
        argumentCount = 1
        isPure = true
        definition = Definition(run: { _ in nil }, makeAggregate: { Aggregate() })
    }

    /// What every function of ours is registered with.
    static func flags(isPure: Bool) -> Int32 {
        SQLITE_UTF8 | SQLITE_DIRECTONLY | (isPure ? SQLITE_DETERMINISTIC : 0)
    }

    package func register(in database: Database) throws {
        let isAggregate = definition.makeAggregate != nil
        try Self.require(
            sqlite3_create_function_v2(
                database.sqliteConnection, name, argumentCount, Self.flags(isPure: isPure),
                Unmanaged.passRetained(definition).toOpaque(),
                isAggregate ? nil : { context, count, arguments in SQLiteFunction.run(context, count, arguments) },
                isAggregate ? { context, count, arguments in SQLiteFunction.step(context, count, arguments) } : nil,
                isAggregate ? { context in SQLiteFunction.finish(context) } : nil,
                { definition in if let definition { Unmanaged<Definition>.fromOpaque(definition).release() } }))
    }

    package func remove(from database: Database) {
        // It only fails while a statement that calls the function runs, and none outlives what registered it.
        sqlite3_create_function_v2(
            database.sqliteConnection, name, argumentCount, Self.flags(isPure: isPure), nil, nil, nil, nil, nil)
    }

    static func require(_ code: Int32) throws {
        if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    // MARK: Called by SQLite

    private static func run(
        _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let context, let definition = definition(context) else { return }
        answer(context) { try definition.run(values(count, arguments)) }
    }

    private static func step(
        _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) {
        guard let context, let group = group(context)?.takeUnretainedValue() else { return }
        do {
            try group.aggregate.step(values(count, arguments))
        } catch {
            group.hasFailed = true
            sqlite3_result_error(context, "\(error)", -1)
        }
    }

    private static func finish(_ context: OpaquePointer?) {
        guard let context, let group = group(context)?.takeRetainedValue(), !group.hasFailed else { return }
        answer(context) { try group.aggregate.finalize() }
    }

    private static func definition(_ context: OpaquePointer) -> Definition? {
        sqlite3_user_data(context).map { Unmanaged<Definition>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The group that SQLite is at, made with its first row, and retained until its last; nil without memory for it.
    private static func group(_ context: OpaquePointer) -> Unmanaged<Group>? {
        let size = Int32(MemoryLayout<UnsafeMutableRawPointer?>.size)
        guard let place = sqlite3_aggregate_context(context, size) else {
            sqlite3_result_error_nomem(context)
            return nil
        }
        let kept = place.assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        if let known = kept.pointee { return Unmanaged<Group>.fromOpaque(known) }
        guard let make = definition(context)?.makeAggregate else { return nil }
        let group = Unmanaged.passRetained(Group(make()))
        kept.pointee = group.toOpaque()
        return group
    }

    private static func values(
        _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> [DatabaseValue] {
        guard let arguments else { return [] }
        return (0..<Int(count)).map { value(arguments[$0]) }
    }

    private static func value(_ argument: OpaquePointer?) -> DatabaseValue {
        switch sqlite3_value_type(argument) {
        case SQLITE_INTEGER: return sqlite3_value_int64(argument).databaseValue
        case SQLITE_FLOAT: return sqlite3_value_double(argument).databaseValue
        case SQLITE_TEXT:
            // The bytes are counted after SQLite has made them UTF-8.
            let text = sqlite3_value_text(argument)
            let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument)))
            return String(decoding: bytes, as: UTF8.self).databaseValue
        case SQLITE_BLOB:
            let bytes = sqlite3_value_blob(argument)
            let count = Int(sqlite3_value_bytes(argument))
            return (bytes.map { Data(bytes: $0, count: count) } ?? Data()).databaseValue
        default: return .null
        }
    }

    private static func answer(_ context: OpaquePointer, _ body: () throws -> (any DatabaseValueConvertible)?) {
        do {
            switch try body()?.databaseValue.storage ?? .null {
            case .null: sqlite3_result_null(context)
            case .int64(let value): sqlite3_result_int64(context, value)
            case .double(let value): sqlite3_result_double(context, value)
            case .string(let value):
                sqlite3_result_text64(
                    context, value, sqlite3_uint64(value.utf8.count), SQLiteStatement.transient, UInt8(SQLITE_UTF8))
            case .blob(let value) where value.isEmpty: sqlite3_result_zeroblob(context, 0)
            case .blob(let value):
                value.withUnsafeBytes {
                    sqlite3_result_blob64(context, $0.baseAddress, sqlite3_uint64($0.count), SQLiteStatement.transient)
                }
            }
        } catch {
            sqlite3_result_error(context, "\(error)", -1)
        }
    }
}
