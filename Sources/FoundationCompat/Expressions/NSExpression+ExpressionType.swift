extension NSExpression {
    /// The kinds of expression. Raw values are Apple's: they are in archives.
    public enum ExpressionType: UInt, Sendable {
        /// A value that is part of the expression.
        case constantValue = 0
        /// `SELF`: the object that is evaluated.
        case evaluatedObject = 1
        /// `$NAME`: a value that is substituted.
        case variable = 2
        /// A path of keys from the object that is evaluated, or from an operand.
        case keyPath = 3
        /// A call of a function by name.
        case function = 4
        /// The union of two sets.
        case unionSet = 5
        /// The intersection of two sets.
        case intersectSet = 6
        /// The elements of one set that another lacks.
        case minusSet = 7
        /// The argument of `valueForKeyPath:`. Not in Apple's headers, but in its archives
        /// (seen in the fixture V2toV3.cdm).
        case keyPathSpecifier = 10
        /// `FIRST`, `LAST` and `SIZE` as an index. Not in Apple's headers.
        case symbolic = 11
        /// `$variable := value`. Not in Apple's headers.
        case assignment = 12
        /// `SUBQUERY(…)`: the elements of a collection that meet a predicate.
        case subquery = 13
        /// `{a, b}`: a list of expressions.
        case aggregate = 14
        /// Any key, as Spotlight's queries have it.
        case anyKey = 15
        /// A closure, which neither stores nor archives can hold.
        case block = 19
        /// `TERNARY(…)`: one of two expressions, as a predicate says.
        case conditional = 20
        /// An executed fetch request; Core Data's `NSFetchRequestExpressionType`.
        case fetchRequest = 50
    }
}
