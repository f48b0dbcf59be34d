/// The SQL functions that compute with numbers as evaluation in memory does.
package enum SQLNumberFunction: String, CaseIterable {
    /// Aggregate: the sum of decimals, without the errors of binary fractions.
    case decimalSum = "OCDDecimalSum"
    /// Aggregate: their mean; null of nothing.
    case decimalAverage = "OCDDecimalAverage"
    /// Aggregate: the number in the middle, or the mean of the two there; null of nothing.
    case median = "OCDMedian"
    case decimalMedian = "OCDDecimalMedian"
    /// Aggregate: the standard deviation of a whole population; null of nothing.
    case standardDeviation = "OCDStandardDeviation"
    /// `(number, forms, arguments…)`: a built-in function of predicates.
    case call = "OCDCall"
}
