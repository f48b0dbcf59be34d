import Foundation

// Safe: nothing of it changes once it is made.
/// A comparison of the values of two expressions. (Apple: NSComparisonPredicate.)
open class NSComparisonPredicate: NSPredicate, @unchecked Sendable {
    /// How many of the values of a to-many left side have to meet the comparison.
    public enum Modifier: UInt, Sendable {
        /// The left side is one value, which is compared.
        case direct = 0
        /// `ALL`: each of the values.
        case all = 1
        /// `ANY`, `SOME`: one of the values.
        case any = 2
    }

    /// The comparison. Raw values are Apple's: they are in archives.
    public enum Operator: UInt, Sendable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// `MATCHES`: the right side is a regular expression for the whole string.
        case matches = 6
        /// `LIKE`: the right side is a pattern with `?` and `*`.
        case like = 7
        /// `BEGINSWITH`
        case beginsWith = 8
        /// `ENDSWITH`
        case endsWith = 9
        /// `IN`: the left side is an element of the right one, or a part of it where both are strings.
        case `in` = 10
        /// A comparison by a method's name.
        case customSelector = 11
        /// `CONTAINS`: the right side is an element of the left one, or a part of it where both are strings.
        case contains = 99
        /// `BETWEEN`: the left side isn't outside of the two values on the right.
        case between = 100
    }

    /// How strings compare: `[c]`, `[d]`, `[n]` and `[l]` of the format language.
    public struct Options: OptionSet, Sendable, Hashable {
        /// Apple's bits for the options.
        public let rawValue: UInt

        /// Makes a set of options of Apple's bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// `[c]`
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: the strings are known to be normalised and may be compared byte by byte.
        public static let normalized = Options(rawValue: 4)
        /// `[l]`: in the order of the current locale. Not in Apple's headers; its parser takes it.
        package static let localeSensitive = Options(rawValue: 8)
    }

    /// What is compared.
    open var leftExpression: NSExpression { storedLeft }
    /// What it is compared with.
    open var rightExpression: NSExpression { storedRight }
    /// How many of the left side's values have to meet the comparison.
    open var comparisonPredicateModifier: Modifier { storedModifier }
    /// The comparison.
    open var predicateOperatorType: Operator { storedOperator }
    /// How strings compare.
    open var options: Options { storedOptions }
    /// The method that compares, for `.customSelector` only.
    open var customSelector: Selector? { storedSelector }
    // Evaluation goes by these, for every object: they don't have to be looked up.
    final let storedLeft: NSExpression
    final let storedRight: NSExpression
    final let storedModifier: Modifier
    final let storedOperator: Operator
    final let storedOptions: Options
    final let storedSelector: Selector?
    /// The right side, if it is the same for all objects.
    let constantRight: EvaluatedValue?
    /// What the left side of `IN` is looked up in, if that is the same for all objects.
    let constantKeys: Set<ValueIdentity.Key>?

    /// The comparison `left operator right`.
    public init(
        leftExpression left: NSExpression, rightExpression right: NSExpression, modifier: Modifier,
        type: Operator, options: Options = []
    ) {
        storedLeft = left
        storedRight = right
        storedModifier = modifier
        storedOperator = type
        storedOptions = options
        storedSelector = nil
        let constant = right.constantForAllObjects
        constantRight = constant.map { EvaluatedValue($0.value) }
        constantKeys = type == .in && options.isEmpty ? constant?.keys : nil
        super.init(form: .subclass)
    }

    /// A comparison by a method of the left value that takes the right value and answers a Boolean.
    ///
    /// There is no message sending on Linux: evaluation knows the comparison methods of `NSString`, `NSNumber` and
    /// `NSDate`, others stop the program.
    public init(leftExpression left: NSExpression, rightExpression right: NSExpression, customSelector: Selector) {
        storedLeft = left
        storedRight = right
        storedModifier = .direct
        storedOperator = .customSelector
        storedOptions = []
        storedSelector = customSelector
        constantRight = nil
        constantKeys = nil
        super.init(form: .subclass)
    }

    /// Whether the object meets the condition. What can't be told (an unknown key) stops the program.
    open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        var scope = EvaluationScope(bindings: bindings)
        return answerOrStop { try compare(object, &scope) }
    }

    /// The comparison with values in place of its variables; one of a class from elsewhere stays as it is.
    open override func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        let substituted = with(
            left: leftExpression.substituting(variables), right: rightExpression.substituting(variables))
        // A subclass from elsewhere can't be copied with other expressions.
        return substituted as? Self ?? self
    }

    /// The same comparison of other expressions.
    final func with(left: NSExpression, right: NSExpression) -> NSComparisonPredicate {
        if let customSelector {
            return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: customSelector)
        }
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: comparisonPredicateModifier,
            type: predicateOperatorType, options: options)
    }

    /// The predicate as a format string.
    open override var predicateFormat: String {
        FormatPrinter(constants: .described).text(ofComparison: self)
    }

    // MARK: Archiving

    /// Reads a predicate from an archive; nil where the archive is damaged.
    public required init?(coder: NSCoder) {
        ArchivedClasses.register()
        guard let left = coder.decodeObject(of: NSExpression.self, forKey: "NSLeftExpression"),
            let right = coder.decodeObject(of: NSExpression.self, forKey: "NSRightExpression"),
            let archived = coder.decodeObject(of: ArchivedOperator.self, forKey: "NSPredicateOperator")
        else { return nil }
        storedLeft = left
        storedRight = right
        storedModifier = archived.modifier
        storedOperator = archived.type
        storedOptions = archived.options
        storedSelector = archived.selector
        let constant = right.constantForAllObjects
        constantRight = constant.map { EvaluatedValue($0.value) }
        constantKeys = archived.type == .in && archived.options.isEmpty ? constant?.keys : nil
        super.init(form: .subclass)
    }

    /// Writes it into an archive.
    open override func encode(with coder: NSCoder) {
        coder.encode(leftExpression, forKey: "NSLeftExpression")
        coder.encode(rightExpression, forKey: "NSRightExpression")
        coder.encode(ArchivedOperator(self), forKey: "NSPredicateOperator")
    }
}
