extension NSExpression {
    /// The kinds of expression. Raw values are Apple's: they are in archives.
    public enum ExpressionType: UInt, Sendable {
        case constantValue = 0
        case evaluatedObject = 1
        case variable = 2
        case keyPath = 3
        case function = 4
        case unionSet = 5
        case intersectSet = 6
        case minusSet = 7
        /// The argument of `valueForKeyPath:`. Not in Apple's headers, but in its archives
        /// (seen in the fixture V2toV3.cdm).
        case keyPathSpecifier = 10
        /// `FIRST`, `LAST` and `SIZE` as an index. Not in Apple's headers.
        case symbolic = 11
        /// `$variable := value`. Not in Apple's headers.
        case assignment = 12
        case subquery = 13
        case aggregate = 14
        case anyKey = 15
        case block = 19
        case conditional = 20
        /// An executed fetch request; Core Data's `NSFetchRequestExpressionType`.
        case fetchRequest = 50
    }
}
