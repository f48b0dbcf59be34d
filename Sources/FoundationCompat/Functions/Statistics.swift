import Foundation

/// The functions over many numbers.
package enum Statistics {
    /// Nil of nothing, but for the sum, which is 0.
    package static func value(_ function: BuiltInFunction, _ numbers: [NumericValue]) -> Any? {
        switch function {
        case .sum: return Arithmetic.sum(numbers).number
        case .average: return Arithmetic.average(numbers)?.number
        case .median: return median(numbers)
        case .mode: return mode(numbers)
        case .standardDeviation: return standardDeviation(numbers)
        default: return nil
        }
    }

    /// The middle number, or the mean of the two in the middle.
    private static func median(_ numbers: [NumericValue]) -> Any? {
        guard !numbers.isEmpty else { return nil }
        let sorted = numbers.sorted { NumericValue.order($0, $1) == .orderedAscending }
        let middle = sorted.count / 2
        guard sorted.count.isMultiple(of: 2) else { return sorted[middle].number }
        return Arithmetic.average([sorted[middle - 1], sorted[middle]])?.number
    }

    /// All numbers that occur most often, smallest first.
    private static func mode(_ numbers: [NumericValue]) -> Any? {
        guard !numbers.isEmpty else { return nil }
        var runs: [(number: NumericValue, count: Int)] = []
        for number in numbers.sorted(by: { NumericValue.order($0, $1) == .orderedAscending }) {
            if let last = runs.last, NumericValue.order(last.number, number) == .orderedSame {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((number, 1))
            }
        }
        let most = runs.map(\.count).max()
        return runs.filter { $0.count == most }.map(\.number.number)
    }

    /// Of the numbers as a whole population.
    private static func standardDeviation(_ numbers: [NumericValue]) -> Any? {
        guard !numbers.isEmpty else { return nil }
        let values = numbers.map(\.doubleValue)
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        return NSNumber(value: variance.squareRoot())
    }
}
