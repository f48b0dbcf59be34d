/// The SQL functions that compute with numbers as evaluation in memory does.
enum SQLNumberFunction: String, CaseIterable {
    /// Aggregate: the sum of decimals, without the errors of binary fractions.
    case decimalSum = "OCDDecimalSum"
    /// Aggregate: their mean; null of nothing.
    case decimalAverage = "OCDDecimalAverage"
    /// `(number, forms, arguments…)`: a built-in function of predicates.
    case call = "OCDCall"
}
