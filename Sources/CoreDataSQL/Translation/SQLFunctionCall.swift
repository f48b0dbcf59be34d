import FoundationCompat

/// A built-in function of predicates as SQL: by SQLite's own operators where they give the very same results, else by a
/// registered function that runs the code of evaluation in memory.
struct SQLFunctionCall {
    let sql: SQLFragment
    let type: SQLValueType

    typealias Operand = (sql: SQLFragment, type: SQLValueType?)

    /// Nil where the function can't be applied to operands of these types.
    ///
    /// - Throws: where the database has no such function.
    init?(_ function: BuiltInFunction, _ operands: [Operand], _ dialect: SQLDialect) throws {
        guard let type = Self.resultType(function, operands) else { return nil }
        self.type = type
        if let sql = Self.native(function, operands, dialect) {
            self.sql = sql
            return
        }
        guard let call = try Self.registered(function, operands, dialect) else { return nil }
        sql = call
    }

    /// The call of the registered function; nil where an operand is of a type that no function takes.
    private static func registered(_ function: BuiltInFunction, _ operands: [Operand], _ dialect: SQLDialect) throws
        -> SQLFragment?
    {
        guard dialect.runsOwnFunctions else { throw SQLDialect.needsOwnFunction("The function \(function)") }
        var forms = ""
        for operand in operands {
            guard let form = SQLArgumentForm(operand.type) else { return nil }
            forms.append(form.rawValue)
        }
        let number = BuiltInFunction.allCases.firstIndex(of: function)!
        let arguments = [SQLFragment(String(number)), SQLFragment("'" + forms + "'")] + operands.map(\.sql)
        return "\(raw: SQLNumberFunction.call.rawValue)(\(arguments.joined(separator: ", ")))"
    }

    /// A value as one of another type; the value itself where the two are stored alike, so that indexes serve.
    static func cast(_ operand: Operand, to type: SQLValueType, _ target: CastTarget, _ dialect: SQLDialect) throws
        -> SQLFragment?
    {
        guard let known = operand.type else { return "NULL" }
        switch (known, target) {
        case (.string, .string), (.uri, .url), (.uuid, .uuid), (.data, .data), (.decimal, .decimal), (.date, .date):
            return operand.sql
        case (.integer, .integer), (.bool, .integer): return operand.sql
        case (_, .number), (_, .timeInterval), (_, .date):
            if known.isBinaryNumber || known.isDate {
                // An integer that passes for a floating-point number would still be divided as one.
                guard dialect.runsOwnFunctions || !known.isInteger else { break }
                return operand.sql
            }
        default: break
        }
        return try registered(.cast, [operand, ("'\(raw: target.rawValue)'", .string)], dialect)
    }

    // MARK: SQLite's own operators

    private static func native(_ function: BuiltInFunction, _ operands: [Operand], _ dialect: SQLDialect)
        -> SQLFragment?
    {
        // A unary plus keeps SQLite from using an index and does nothing else.
        if function == .withoutIndex { return dialect == .sqlite ? "+\(operands[0].sql)" : operands[0].sql }
        // SQLite chooses the index, except for R-trees, which SQLRTreeRestriction brings in.
        if function == .indexed { return operands[0].sql }
        if dialect == .sqlite, let bits = bits(function, operands) { return bits }
        guard let sign = sign(of: function), operands.count == 2,
            let left = operands[0].type, let right = operands[1].type
        else { return nil }
        let dates = function == .add || function == .subtract
        guard left.isBinaryNumber || (dates && left.isDate), right.isBinaryNumber || (dates && right.isDate) else {
            return nil
        }
        if function == .modulus, !(left.isInteger && right.isInteger) { return nil }
        return dialect.computed(operands[0].sql, sign, operands[1].sql)
    }

    /// The operators of SQLite take the same 64 bits as evaluation in memory does.
    private static func bits(_ function: BuiltInFunction, _ operands: [Operand]) -> SQLFragment? {
        guard operands.allSatisfy({ $0.type?.isInteger ?? false }) else { return nil }
        let left = operands[0].sql
        switch (function, operands.dropFirst().first?.sql) {
        case (.onesComplement, nil): return "(~\(left))"
        case (.bitwiseAnd, let right?): return "(\(left) & \(right))"
        case (.bitwiseOr, let right?): return "(\(left) | \(right))"
        case (.bitwiseXor, let right?): return "((\(left) | \(right)) - (\(left) & \(right)))"
        case (.leftShift, let right?): return "(\(left) << \(right))"
        case (.rightShift, let right?): return "(\(left) >> \(right))"
        default: return nil
        }
    }

    private static func sign(of function: BuiltInFunction) -> String? {
        switch function {
        case .add: return "+"
        case .subtract: return "-"
        case .multiply: return "*"
        case .divide: return "/"
        case .modulus: return "%"
        default: return nil
        }
    }

    // MARK: Types

    private static func resultType(_ function: BuiltInFunction, _ operands: [Operand]) -> SQLValueType? {
        let types = operands.map(\.type)
        switch function {
        case .add, .subtract: return sumType(function, types)
        case .multiply, .divide, .modulus: return numberType(types)
        case .raise, .squareRoot, .logarithm, .naturalLogarithm, .exponential:
            return numberType(types) == nil ? nil : .real
        case .floor, .ceiling, .truncate, .absolute: return numberType(types)
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
            return numberType(types) == nil ? nil : .integer
        case .uppercase, .lowercase, .canonical:
            return types[0]?.isString ?? true ? .string : nil
        case .length: return types[0]?.isString ?? true ? .integer : nil
        case .withoutIndex, .indexed: return types[0]
        case .sum, .count, .average: return numberType(types)
        case .minimum, .maximum:
            let known = types.compactMap { $0 }
            guard let first = known.first, known.allSatisfy(first.isComparable) else { return nil }
            return first
        case .median, .mode, .standardDeviation, .random, .randomBelow, .now, .distance, .cast, .index:
            return nil
        }
    }

    private static func sumType(_ function: BuiltInFunction, _ types: [SQLValueType?]) -> SQLValueType? {
        switch (types[0]?.isDate ?? false, types[1]?.isDate ?? false) {
        case (true, true): return function == .subtract ? .real : nil
        case (true, false): return types[1]?.isNumber ?? true ? .date : nil
        case (false, true): return function == .add && types[0]?.isNumber ?? true ? .date : nil
        case (false, false): return numberType(types)
        }
    }

    /// A decimal makes the result decimal, a floating-point number makes it one.
    private static func numberType(_ types: [SQLValueType?]) -> SQLValueType? {
        var result = SQLValueType.integer
        for type in types {
            switch type {
            case .decimal: result = .decimal
            case .real: if !result.isDecimal { result = .real }
            case .integer, .bool, nil: break
            default: return nil
            }
        }
        return result
    }
}

extension SQLValueType {
    fileprivate var isDate: Bool { if case .date = self { true } else { false } }
    fileprivate var isDecimal: Bool { if case .decimal = self { true } else { false } }

    package var isInteger: Bool {
        switch self {
        case .integer, .bool: return true
        default: return false
        }
    }

    /// Whether SQLite computes with such numbers as memory does.
    fileprivate var isBinaryNumber: Bool { isNumber && !isDecimal }
}
