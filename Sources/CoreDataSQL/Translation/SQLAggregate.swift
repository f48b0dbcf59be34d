/// The functions that make one value of many rows.
enum SQLAggregate: String {
    case count = "count:"
    case sum = "sum:"
    case min = "min:"
    case max = "max:"
    case average = "average:"
    case median = "median:"
    case standardDeviation = "stddev:"

    init(_ collectionOperator: SQLCollectionOperator) {
        switch collectionOperator {
        case .sum: self = .sum
        case .min: self = .min
        case .max: self = .max
        case .average: self = .average
        case .count, .unionOfObjects, .distinctUnionOfObjects: self = .count
        }
    }

    /// The aggregate of a value of each row, and its type.
    ///
    /// - Parameter source: the expression as it was written, for messages.
    func apply(to value: SQLFragment, _ type: SQLValueType, of source: String, _ dialect: SQLDialect) throws -> (
        SQLFragment, SQLValueType
    ) {
        if !dialect.runsOwnFunctions, needsOwnFunction(type) { throw SQLDialect.needsOwnFunction(source) }
        switch self {
        case .count:
            return ("COUNT(\(value))", .integer)
        case .min, .max:
            guard type.isOrdered else { throw unsupported(source, type) }
            guard dialect.hasExtremes(of: type) else { throw SQLDialect.needsOwnFunction(source) }
            return ("\(raw: self == .min ? "MIN" : "MAX")(\(value))", type)
        case .sum:
            guard type.isNumber else { throw unsupported(source, type) }
            switch type {
            case .decimal: return ("\(raw: SQLNumberFunction.decimalSum.rawValue)(\(value))", type)
            case .bool: return (dialect.sum(value, type), .integer)
            default: return (dialect.sum(value, type), type)
            }
        case .average:
            guard type.isNumber else { throw unsupported(source, type) }
            if case .decimal = type { return ("\(raw: SQLNumberFunction.decimalAverage.rawValue)(\(value))", type) }
            return (dialect.average(value), .real)
        case .median:
            guard type.isNumber else { throw unsupported(source, type) }
            if case .decimal = type { return ("\(raw: SQLNumberFunction.decimalMedian.rawValue)(\(value))", type) }
            return ("\(raw: SQLNumberFunction.median.rawValue)(\(value))", .real)
        case .standardDeviation:
            guard type.isNumber else { throw unsupported(source, type) }
            return ("\(raw: SQLNumberFunction.standardDeviation.rawValue)(\(value))", .real)
        }
    }

    private func needsOwnFunction(_ type: SQLValueType) -> Bool {
        switch self {
        case .median, .standardDeviation: return true
        case .sum, .average:
            if case .decimal = type { return true }
            return false
        case .count, .min, .max: return false
        }
    }

    private func unsupported(_ source: String, _ type: SQLValueType) -> any Error {
        SQLQueryError.unsupported("\(source)", because: "\(rawValue) doesn't take \(type.description)")
    }
}
