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
    func apply(to value: SQLFragment, _ type: SQLValueType, of source: String) throws -> (
        SQLFragment, SQLValueType
    ) {
        switch self {
        case .count:
            return ("COUNT(\(value))", .integer)
        case .min, .max:
            guard type.isOrdered else { throw unsupported(source, type) }
            return ("\(raw: self == .min ? "MIN" : "MAX")(\(value))", type)
        case .sum:
            guard type.isNumber else { throw unsupported(source, type) }
            switch type {
            case .decimal: return ("\(raw: SQLNumberFunction.decimalSum.rawValue)(\(value))", type)
            case .bool: return ("IFNULL(SUM(\(value)), 0)", .integer)
            default: return ("IFNULL(SUM(\(value)), 0)", type)
            }
        case .average:
            guard type.isNumber else { throw unsupported(source, type) }
            if case .decimal = type { return ("\(raw: SQLNumberFunction.decimalAverage.rawValue)(\(value))", type) }
            return ("AVG(\(value))", .real)
        case .median:
            guard type.isNumber else { throw unsupported(source, type) }
            if case .decimal = type { return ("\(raw: SQLNumberFunction.decimalMedian.rawValue)(\(value))", type) }
            return ("\(raw: SQLNumberFunction.median.rawValue)(\(value))", .real)
        case .standardDeviation:
            guard type.isNumber else { throw unsupported(source, type) }
            return ("\(raw: SQLNumberFunction.standardDeviation.rawValue)(\(value))", .real)
        }
    }

    private func unsupported(_ source: String, _ type: SQLValueType) -> any Error {
        SQLQueryError.unsupported("\(source)", because: "\(rawValue) doesn't take \(type.description)")
    }
}
