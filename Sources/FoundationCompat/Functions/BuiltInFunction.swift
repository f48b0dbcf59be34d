import Foundation

/// The functions that expressions may call, under their selector names. (Apple: NSExpression,
/// `init(forFunction:arguments:)`.)
package enum BuiltInFunction: String, Sendable, CaseIterable {
    case sum = "sum:"
    case count = "count:"
    case minimum = "min:"
    case maximum = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case raise = "raise:toPower:"
    case squareRoot = "sqrt:"
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    case random
    case randomBelow = "randomn:"
    case now
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case leftShift = "leftshift:by:"
    case rightShift = "rightshift:by:"
    case onesComplement = "onesComplement:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case canonical = "canonical:"
    case length = "length:"
    case withoutIndex = "noindex:"
    /// `indexed:by:(attribute, 'index')`: the attribute, to be looked up in a certain R-tree. Known from Apple's session
    /// 210 of 2017; not in its list.
    case indexed = "indexed:by:"
    case distance = "distanceToLocation:fromLocation:"
    /// `CAST(value, "type")`. Known from what Apple's predicates print; not in its list.
    case cast = "castObject:toType:"
    /// `collection[index]`. Known from what Apple's predicates print; not in its list.
    case index = "objectFrom:withIndex:"

    /// Whether it takes one collection, or any number of values.
    var isStatistical: Bool {
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: return true
        default: return false
        }
    }

    /// The operator that stands for the function in a format string.
    package var infix: (symbol: String, precedence: Int)? {
        switch self {
        case .add: return ("+", FormatParser.Precedence.sum.rawValue)
        case .subtract: return ("-", FormatParser.Precedence.sum.rawValue)
        case .multiply: return ("*", FormatParser.Precedence.product.rawValue)
        case .divide: return ("/", FormatParser.Precedence.product.rawValue)
        case .raise: return ("**", FormatParser.Precedence.power.rawValue)
        default: return nil
        }
    }

    private func accepts(_ argumentCount: Int) -> Bool {
        isStatistical ? argumentCount > 0 : argumentCount == rawValue.count { $0 == ":" }
    }

    /// Why there is no function for a call.
    package struct Problem: Error {
        package let explanation: String
    }

    /// The function of a selector name, if it takes that many arguments.
    package static func named(_ name: String, argumentCount: Int) -> Result<BuiltInFunction, Problem> {
        guard let function = BuiltInFunction(rawValue: name) else {
            let suggestion = Spelling.nearest(to: name, among: allCases.map(\.rawValue)).map { "; did you mean \($0)?" }
            return .failure(Problem(explanation: "there is no function \(name)" + (suggestion ?? "")))
        }
        guard function.accepts(argumentCount) else {
            let expected = function.isStatistical ? "at least 1" : "\(name.count { $0 == ":" })"
            return .failure(
                Problem(explanation: "\(name) takes \(expected) argument(s), not \(argumentCount)"))
        }
        return .success(function)
    }
}
