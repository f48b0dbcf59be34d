import Foundation

extension BuiltInFunction {
    /// The result for argument values; nil where they make no sense to the function, as NULL in SQL.
    package func value(_ arguments: [Any?]) -> Any? {
        if isStatistical {
            return statistic(arguments)
        }
        switch self {
        case .add, .subtract: return sum(arguments)
        case .multiply: return Self.arithmetic(.multiply, arguments)
        case .divide: return Self.arithmetic(.divide, arguments)
        case .modulus: return Self.arithmetic(.modulus, arguments)
        case .raise: return Self.arithmetic(.raise, arguments)
        case .squareRoot: return Self.real(arguments) { $0 < 0 ? nil : $0.squareRoot() }
        case .logarithm: return Self.real(arguments) { $0 <= 0 ? nil : log10($0) }
        case .naturalLogarithm: return Self.real(arguments) { $0 <= 0 ? nil : log($0) }
        case .exponential: return Self.real(arguments) { exp($0) }
        case .floor: return Self.rounded(arguments, .down)
        case .ceiling: return Self.rounded(arguments, .up)
        case .truncate: return Self.rounded(arguments, .towardZero)
        case .absolute: return Self.absolute(arguments)
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
            return bits(arguments)
        case .uppercase: return Self.text(arguments).map { $0.uppercased() }
        case .lowercase: return Self.text(arguments).map { $0.lowercased() }
        case .canonical: return Self.text(arguments).map(StringComparison.canonical)
        case .length: return Self.text(arguments).map { NSNumber(value: $0.utf16.count) }
        case .now: return Date()
        case .random: return NSNumber(value: Int64.random(in: 0...Int64(Int32.max)))
        case .randomBelow:
            guard let limit = Self.integer(arguments[0]), limit > 0 else { return nil }
            return NSNumber(value: Int64.random(in: 0..<limit))
        case .withoutIndex, .indexed: return arguments[0]
        case .distance: return Distance.metres(arguments[0], arguments[1]).map { NSNumber(value: $0) }
        case .cast:
            guard case .string(let name) = EvaluatedValue(arguments[1]) else { return nil }
            return CastTarget(name)?.value(of: arguments[0])
        case .index: return Self.element(of: arguments[0], at: arguments[1])
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: return nil
        }
    }

    // MARK: Numbers

    private static func integer(_ value: Any?) -> Int64? {
        NumericValue(value)?.int64Value
    }

    private static func text(_ arguments: [Any?]) -> String? {
        guard case .string(let text) = EvaluatedValue(arguments[0]) else { return nil }
        return text
    }

    private static func real(_ arguments: [Any?], _ function: (Double) -> Double?) -> Any? {
        NumericValue(arguments[0]).flatMap { function($0.doubleValue) }.map { NSNumber(value: $0) }
    }

    private static func arithmetic(_ operation: Arithmetic.Operation, _ arguments: [Any?]) -> Any? {
        guard let left = NumericValue(arguments[0]), let right = NumericValue(arguments[1]) else { return nil }
        return Arithmetic.apply(operation, left, right)?.number
    }

    /// Numbers, a date and seconds, or two dates, whose difference is in seconds.
    private func sum(_ arguments: [Any?]) -> Any? {
        let isSum = self == .add
        switch (EvaluatedValue(arguments[0]), EvaluatedValue(arguments[1])) {
        case (.date(let left), .number(let right)):
            let seconds = right.doubleValue
            return Date(timeIntervalSinceReferenceDate: isSum ? left + seconds : left - seconds)
        case (.number(let left), .date(let right)) where isSum:
            return Date(timeIntervalSinceReferenceDate: left.doubleValue + right)
        case (.date(let left), .date(let right)) where !isSum:
            return NSNumber(value: left - right)
        case (.number(let left), .number(let right)):
            return Arithmetic.apply(isSum ? .add : .subtract, left, right)?.number
        default:
            return nil
        }
    }

    private static func rounded(_ arguments: [Any?], _ rule: FloatingPointRoundingRule) -> Any? {
        switch NumericValue(arguments[0]) {
        case .real(let value): return NSNumber(value: value.rounded(rule))
        case .decimal(var value):
            let isNegative = value < 0
            var result = Decimal()
            let down = rule == .down || (rule == .towardZero && !isNegative)
            NSDecimalRound(&result, &value, 0, down ? .down : .up)
            return NSDecimalNumber(decimal: result)
        case let number: return number?.number
        }
    }

    private static func absolute(_ arguments: [Any?]) -> Any? {
        guard let number = NumericValue(arguments[0]) else { return nil }
        guard NumericValue.order(number, .integer(0)) == .orderedAscending else { return number.number }
        return Arithmetic.negated(number)?.number
    }

    private func bits(_ arguments: [Any?]) -> Any? {
        guard let left = Self.integer(arguments[0]) else { return nil }
        if self == .onesComplement {
            return NSNumber(value: ~left)
        }
        guard let right = Self.integer(arguments[1]) else { return nil }
        switch self {
        case .bitwiseAnd: return NSNumber(value: left & right)
        case .bitwiseOr: return NSNumber(value: left | right)
        case .bitwiseXor: return NSNumber(value: left ^ right)
        case .leftShift: return NSNumber(value: left << right)
        default: return NSNumber(value: left >> right)
        }
    }

    // MARK: Collections

    /// Over the elements of the only argument, or over the arguments.
    private func statistic(_ arguments: [Any?]) -> Any? {
        let elements: [Any?]
        if arguments.count == 1 {
            guard let argument = arguments[0] else { return self == .count ? NSNumber(value: 0) : nil }
            if case .collection(let collection) = EvaluatedValue(argument) {
                elements = (Elements(collection)?.values ?? []).map { $0 as Any? }
            } else {
                elements = arguments
            }
        } else {
            elements = arguments
        }
        let values = elements.compactMap { isNull($0) ? nil : $0 }
        switch self {
        case .count: return NSNumber(value: elements.count)
        case .minimum: return CollectionOperator.extreme(values, .orderedAscending)
        case .maximum: return CollectionOperator.extreme(values, .orderedDescending)
        default: return Statistics.value(self, values.compactMap { NumericValue($0) })
        }
    }

    /// The element of an array at an index or symbolic place, or the value of a dictionary for a key.
    private static func element(of collection: Any?, at index: Any?) -> Any? {
        guard let collection, let index else { return nil }
        if let dictionary = collection as? NSDictionary {
            if let symbol = index as? ExpressionForm.Symbol {
                return symbol == .size ? NSNumber(value: dictionary.count) : nil
            }
            return ValueIdentity.entry(of: dictionary, for: index)
        }
        guard let elements = Elements(collection) else { return nil }
        if let symbol = index as? ExpressionForm.Symbol {
            switch symbol {
            case .first: return elements.values.first
            case .last: return elements.values.last
            case .size: return NSNumber(value: elements.values.count)
            }
        }
        guard let place = integer(index), let position = Int(exactly: place),
            elements.values.indices.contains(position)
        else { return nil }
        return elements.values[position]
    }
}

/// The distance between two places on Earth.
enum Distance {
    /// In metres along a great circle, between objects that have a latitude and a longitude in degrees, or a
    /// `coordinate` that has; nil where they haven't.
    static func metres(_ first: Any?, _ second: Any?) -> Double? {
        guard let first = coordinate(first), let second = coordinate(second) else { return nil }
        let earthRadius = 6_371_008.8
        let latitude = (second.latitude - first.latitude) / 2
        let longitude = (second.longitude - first.longitude) / 2
        let chord =
            sin(latitude) * sin(latitude)
            + cos(first.latitude) * cos(second.latitude) * sin(longitude) * sin(longitude)
        return 2 * earthRadius * asin(min(1, chord.squareRoot()))
    }

    /// In radians.
    private static func coordinate(_ value: Any?) -> (latitude: Double, longitude: Double)? {
        guard let value else { return nil }
        for prefix in [[], ["coordinate"]] {
            if let latitude = degrees(value, prefix + ["latitude"]),
                let longitude = degrees(value, prefix + ["longitude"])
            {
                return (latitude * .pi / 180, longitude * .pi / 180)
            }
        }
        return nil
    }

    private static func degrees(_ value: Any, _ keys: [String]) -> Double? {
        // A value without such a key is no place, and has no distance.
        NumericValue(try? KeyValueAccess.value(of: value, at: ParsedKeyPath(keys: keys), .throwing))?.doubleValue
    }
}
