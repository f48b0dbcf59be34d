@_spi(Engine) import CoreDataRows
import Foundation

/// What differs between the databases that fetches are said to.
///
/// The translator makes the same statement for each; where they spell a part differently, or one has a part that another lacks,
/// it asks here. What a dialect can't say exactly as memory evaluates it is an error, and never said roughly.
package enum SQLDialect: Sendable, Hashable {
    /// With the functions of ``SQLStringFunction`` and ``SQLNumberFunction``, which run our own code.
    case sqlite
    /// Names are those of the model and always quoted; tables are in a schema. It runs none of our code.
    case postgreSQL(schema: String)

    /// Whether the functions that run our own code are there.
    var runsOwnFunctions: Bool { self == .sqlite }

    // MARK: Names

    package func name(_ name: String) -> SQLFragment {
        switch self {
        case .sqlite: .name(name)
        case .postgreSQL: .quoted(name)
        }
    }

    package func table(_ table: String) -> SQLFragment {
        switch self {
        case .sqlite: .name(table)
        case .postgreSQL(let schema): "\(.quoted(schema)).\(.quoted(table))"
        }
    }

    package func column(_ column: String, of alias: String) -> SQLFragment { "\(raw: alias).\(name(column))" }

    // MARK: Values

    /// An attribute's column as a value that is compared and computed with.
    package func value(_ column: SQLFragment, of kind: PropertyKind) -> SQLFragment {
        switch (self, kind) {
        case (.sqlite, _): column
        // A truth value is 0 or 1 in predicates, and a short float a double.
        case (.postgreSQL, .bool): "CAST(\(column) AS integer)"
        case (.postgreSQL, .float): "CAST(\(column) AS double precision)"
        case (.postgreSQL, _): column
        }
    }

    /// A constant beside a value of a type.
    func constant(_ binding: SQLBinding, beside type: SQLValueType) throws -> SQLFragment {
        guard self != .sqlite else { return .bind(binding) }
        switch (binding, type) {
        case (.blob(let data), .uuid): return "CAST(\(bind: .text(Self.hexadecimal(data))) AS uuid)"
        // The digits of a double are exact, which its conversion by the server isn't.
        case (.double(let value), .integer), (.double(let value), .bool), (.double(let value), .decimal):
            return "CAST(\(bind: .text(value.description)) AS numeric)"
        case (.int(let value), .real), (.int(let value), .date):
            return .bind(.double(try Self.double(value)))
        case (.text(let text), _) where text.utf8.contains(0): throw Self.notText
        default: return .bind(binding)
        }
    }

    private static func double(_ value: Int64) throws -> Double {
        if let double = Double(exactly: value) { return double }
        throw SQLQueryError.unsupported(
            "The number \(value) beside one with a floating point", because: "it has too many digits")
    }

    private static var notText: any Error {
        SQLQueryError.unsupported("A string with U+0000", because: "no text of the server can have it")
    }

    private static func hexadecimal(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    // MARK: Conditions

    package func condition(_ condition: SQLCondition) -> SQLFragment {
        switch (self, condition) {
        case (.postgreSQL, .always): "TRUE"
        case (.postgreSQL, .never): "FALSE"
        default: condition.fragment
        }
    }

    /// Whether two values are the same, or both missing.
    package func same(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        self == .sqlite ? "\(left) IS \(right)" : "\(left) IS NOT DISTINCT FROM \(right)"
    }

    package func different(_ left: SQLFragment, _ right: SQLFragment) -> SQLFragment {
        self == .sqlite ? "\(left) IS NOT \(right)" : "\(left) IS DISTINCT FROM \(right)"
    }

    /// What more has to be asked of a number that is to be greater than a constant.
    func greaterNumber(_ value: SQLFragment, _ type: SQLValueType) -> SQLFragment? {
        guard case .decimal = type else { return nil }
        // "Not a number" is a text in SQLite, which has it behind all numbers, and greater than all in PostgreSQL.
        return self == .sqlite ? "\(value) < ''" : "\(value) <> 'NaN'"
    }

    /// Whether numbers of the two types are compared without losing a digit.
    func comparesExactly(_ one: SQLValueType, _ two: SQLValueType) -> Bool {
        guard self != .sqlite else { return true }
        switch (one, two) {
        case (.real, .integer), (.real, .decimal), (.integer, .real), (.decimal, .real): return false
        default: return true
        }
    }

    // MARK: Order and paging

    /// Where missing values come: first where the order ascends, in memory as in SQLite.
    func placeOfNulls(ascending: Bool) -> SQLFragment {
        switch (self, ascending) {
        case (.sqlite, _): ""
        case (.postgreSQL, true): " NULLS FIRST"
        case (.postgreSQL, false): " NULLS LAST"
        }
    }

    /// What decides between rows that are equal otherwise, so that the pages of one fetch have each row once. SQLite scans
    /// its tables by key anyway.
    func tie(_ key: SQLFragment, ordered: Bool, paged: Bool) -> SQLFragment {
        guard self != .sqlite, ordered || paged else { return "" }
        return ordered ? ", \(key)" : " ORDER BY \(key)"
    }

    func limit(_ limit: Int) -> SQLFragment {
        if limit > 0 { return " LIMIT \(bind: .int(Int64(limit)))" }
        return self == .sqlite ? " LIMIT \(bind: .int(-1))" : ""
    }

    /// Rows that are selected from, which some databases want to have a name.
    func derivedTable(_ rows: SQLFragment) -> SQLFragment {
        self == .sqlite ? "(\(rows))" : "(\(rows)) AS counted"
    }

    // MARK: Functions

    /// The first value, or the second where that is missing.
    func ifMissing(_ value: SQLFragment, _ other: SQLFragment) -> SQLFragment {
        self == .sqlite ? "IFNULL(\(value), \(other))" : "COALESCE(\(value), \(other))"
    }

    /// The sum of integers or floating-point numbers; 0 of nothing.
    func sum(_ value: SQLFragment, _ type: SQLValueType) -> SQLFragment {
        if self == .sqlite { return "IFNULL(SUM(\(value)), 0)" }
        return type.isInteger ? "COALESCE(CAST(SUM(\(value)) AS bigint), 0)" : "COALESCE(SUM(\(value)), 0)"
    }

    func average(_ value: SQLFragment) -> SQLFragment {
        self == .sqlite ? "AVG(\(value))" : "CAST(AVG(\(value)) AS double precision)"
    }

    /// Whether the least and the greatest of such values can be asked for.
    func hasExtremes(of type: SQLValueType) -> Bool {
        guard self != .sqlite else { return true }
        switch type {
        case .uuid, .data: return false
        default: return true
        }
    }

    /// An operator between two numbers. Dividing by zero gives nothing, in memory as in SQLite.
    func computed(_ left: SQLFragment, _ sign: String, _ right: SQLFragment) -> SQLFragment {
        if self != .sqlite, sign == "/" || sign == "%" { return "(\(left) \(raw: sign) NULLIF(\(right), 0))" }
        return "(\(left) \(raw: sign) \(right))"
    }

    /// A string operator without options; nil where only our own code knows it.
    func stringTest(_ function: SQLStringFunction, _ string: SQLFragment, _ pattern: SQLFragment) -> SQLFragment? {
        guard self != .sqlite else { return nil }
        switch function {
        case .beginsWith: return "starts_with(\(string), \(pattern))"
        case .endsWith: return "RIGHT(\(string), LENGTH(\(pattern))) = \(pattern)"
        case .contains: return "STRPOS(\(string), \(pattern)) > 0"
        default: return nil
        }
    }

    /// The error for a part that only our own code can compute.
    static func needsOwnFunction(_ part: String) -> any Error {
        SQLQueryError.unsupported(part, because: "the server can't compute it as memory does")
    }
}
