/// The collection operators of a key path, without their `@`. (Apple: NSKeyValueOperator.)
public struct NSKeyValueOperator: RawRepresentable, Hashable, Sendable {
    /// The operator's name as it follows the `@` in a key path.
    public let rawValue: String

    /// Makes an operator of a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `@avg`: the mean of the numbers, those that are nil left out; nil where there are none.
    public static let averageKeyValueOperator = NSKeyValueOperator(rawValue: "avg")
    /// `@count`: how many elements a collection has.
    public static let countKeyValueOperator = NSKeyValueOperator(rawValue: "count")
    /// `@distinctUnionOfArrays`: the different values in several arrays.
    public static let distinctUnionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfArrays")
    /// `@distinctUnionOfObjects`: the different values of the elements.
    public static let distinctUnionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfObjects")
    /// `@distinctUnionOfSets`: the different values in several sets.
    public static let distinctUnionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "distinctUnionOfSets")
    /// `@max`: the greatest value; nil where there is none.
    public static let maximumKeyValueOperator = NSKeyValueOperator(rawValue: "max")
    /// `@min`: the least value; nil where there is none.
    public static let minimumKeyValueOperator = NSKeyValueOperator(rawValue: "min")
    /// `@sum`: the sum of the numbers, those that are nil left out.
    public static let sumKeyValueOperator = NSKeyValueOperator(rawValue: "sum")
    /// `@unionOfArrays`: the values in several arrays, with duplicates.
    public static let unionOfArraysKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfArrays")
    /// `@unionOfObjects`: the values of the elements, with duplicates.
    public static let unionOfObjectsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfObjects")
    /// `@unionOfSets`: the values in several sets, with duplicates.
    public static let unionOfSetsKeyValueOperator = NSKeyValueOperator(rawValue: "unionOfSets")
}
