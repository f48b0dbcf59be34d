import Foundation
import FoundationCompat

extension SQLTranslator {
    /// BEGINSWITH, ENDSWITH, CONTAINS, LIKE and MATCHES.
    func stringCondition(_ left: SQLOperand, _ right: SQLOperand, _ comparison: SQLComparison) throws -> SQLCondition {
        if case .scalar(let number, .entityName(let entity)) = left, case .constant(let constant) = right {
            return try named(number, entity) { try comparison.evaluate($0, constant) }
        }
        guard let string = try stringOperand(left, comparison), let pattern = try stringOperand(right, comparison)
        else {
            return .never
        }
        if comparison.isBinary, comparison.type == .beginsWith, let prefix = pattern.constant, !prefix.isEmpty {
            return .sql(beginsWith(string.sql, prefix))
        }
        guard let function = SQLStringFunction(comparison.type) else {
            throw SQLQueryError.unsupported("The comparison \(comparison)")
        }
        if function == .matches, let constant = pattern.constant {
            try Self.checkRegularExpression(constant, comparison)
        }
        if comparison.isBinary, let test = scope.dialect.stringTest(function, string.sql, pattern.sql) {
            return .sql(test)
        }
        guard scope.dialect.runsOwnFunctions else { throw SQLDialect.needsOwnFunction("The comparison \(comparison)") }
        return .sql("\(raw: function.rawValue)(\(string.sql), \(pattern.sql), \(comparison.optionsArgument))")
    }

    private struct StringOperand {
        var sql: SQLFragment
        var constant: String?
    }

    /// Nil where the operand is nothing that string operators look at, so that they hold for no row.
    private func stringOperand(_ operand: SQLOperand, _ comparison: SQLComparison) throws -> StringOperand? {
        switch operand {
        case .scalar(let sql, .string):
            return StringOperand(sql: sql)
        case .scalar(let sql, let type):
            // CONTAINS asks a string for a part, the others take numbers, UUIDs and URIs as text.
            guard comparison.type != .contains, let form = SQLTextForm(type) else { break }
            guard scope.dialect.runsOwnFunctions else {
                throw SQLDialect.needsOwnFunction("The comparison \(comparison)")
            }
            return StringOperand(sql: "\(raw: SQLStringFunction.text.rawValue)(\(sql), '\(raw: form.rawValue)')")
        case .constant(let value):
            guard let text = SQLTextForm.text(of: value) else { return nil }
            // The dialect refuses a text that the database can't have.
            _ = try scope.dialect.constant(.text(text), beside: .string)
            return StringOperand(sql: .bind(.text(text)), constant: text)
        case .collection(let collection):
            throw SQLQueryError.toManyNotAllowed(collection.keyPath)
        case .list, .rows: break
        }
        throw SQLQueryError.unsupported("The comparison \(comparison)", because: "it needs strings on both sides")
    }

    /// The strings with a prefix, as a range of an index.
    private func beginsWith(_ string: SQLFragment, _ prefix: String) -> SQLFragment {
        let lower: SQLFragment = "\(string) >= \(bind: .text(prefix))"
        guard let end = Self.firstString(behindPrefix: prefix) else { return lower }
        return "\(lower) AND \(string) < \(bind: .text(end))"
    }

    /// The smallest string, by code points, that is greater than all strings with the prefix; nil where there is none.
    static func firstString(behindPrefix prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // UTF-8 orders as code points do; the surrogates' range has none.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let successor = Unicode.Scalar(next) else { continue }
            var result = String.UnicodeScalarView()
            result.append(contentsOf: scalars)
            result.append(successor)
            return String(result)
        }
        return nil
    }

    private static func checkRegularExpression(_ pattern: String, _ comparison: SQLComparison) throws {
        do {
            _ = try StringComparison.matches("", pattern, comparison.options)
        } catch {
            throw SQLQueryError.make("the regular expression \(pattern) in \(comparison) is malformed: \(error)")
        }
    }
}

extension SQLComparison {
    /// Equality (`==[cd]`) or order of two strings where options have a say, which SQLite's own operators don't see.
    func stringSQL(
        _ left: SQLFragment, _ right: SQLFragment, _ sqlOperator: String, constantSide: Bool
    ) -> SQLFragment {
        let compared: SQLFragment = "\(raw: SQLStringFunction.compare.rawValue)(\(left), \(right), \(optionsArgument))"
        switch type {
        case .equalTo:
            return constantSide ? "\(compared) = 0" : "(\(compared) = 0 OR (\(left) IS NULL AND \(right) IS NULL))"
        case .notEqualTo:
            let equal = with(.equalTo).stringSQL(left, right, "=", constantSide: constantSide)
            return "(\(equal)) IS NOT TRUE"
        default: return "\(compared) \(raw: sqlOperator) 0"
        }
    }
}
