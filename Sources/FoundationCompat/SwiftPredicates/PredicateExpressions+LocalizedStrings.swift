import Foundation

// What `#Predicate` writes for these methods of strings is in Apple's Foundation only.
extension PredicateExpressions {
    /// `root.localizedStandardContains(other)` in a `#Predicate`.
    public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// Whether the string contains the other.
        public typealias Output = Bool

        /// What makes the string.
        public let root: Root
        /// What makes the other string.
        public let other: Other

        /// Makes the expression; `#Predicate` writes the call.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Evaluates both strings and compares them in the current locale; throws what their evaluation throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(try other.evaluate(bindings))
        }
    }

    /// `root.caseInsensitiveCompare(other)` in a `#Predicate`.
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>:
        PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// How the string is ordered to the other.
        public typealias Output = ComparisonResult

        /// What makes the string.
        public let root: Root
        /// What makes the other string.
        public let other: Other

        /// Makes the expression; `#Predicate` writes the call.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Evaluates both strings and compares them without regard to case; throws what their evaluation throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).caseInsensitiveCompare(try other.evaluate(bindings))
        }
    }

    /// `root.localizedCompare(other)` in a `#Predicate`.
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// How the string is ordered to the other.
        public typealias Output = ComparisonResult

        /// What makes the string.
        public let root: Root
        /// What makes the other string.
        public let other: Other

        /// Makes the expression; `#Predicate` writes the call.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Evaluates both strings and compares them in the current locale; throws what their evaluation throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).localizedCompare(try other.evaluate(bindings))
        }
    }

    /// What the macro writes for `localizedStandardContains(_:)`.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedStandardContains<Root, Other> {
        StringLocalizedStandardContains(root: root, other: other)
    }

    /// What the macro writes for `caseInsensitiveCompare(_:)`.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// What the macro writes for `localizedCompare(_:)`.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .predicate(
            conversion.compare(
                try conversion.expression(root), .contains, try conversion.expression(other),
                [.caseInsensitive, .diacriticInsensitive]))
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .expression(try conversion.order(root, other, .caseInsensitive))
    }
}

extension PredicateExpressions.StringLocalizedCompare: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        .expression(try conversion.order(root, other, .localeSensitive))
    }
}

extension ClassicConversion {
    /// The order of two strings, as the raw value of a `ComparisonResult`.
    fileprivate mutating func order(
        _ left: Any, _ right: Any, _ options: NSComparisonPredicate.Options
    ) throws -> NSExpression {
        let left = try expression(left)
        let right = try expression(right)
        let unequal = NSExpression(
            forConditional: compare(left, .lessThan, right, options),
            trueExpression: NSExpression(forConstantValue: -1), falseExpression: NSExpression(forConstantValue: 1))
        return NSExpression(
            forConditional: compare(left, .equalTo, right, options),
            trueExpression: NSExpression(forConstantValue: 0), falseExpression: unequal)
    }
}
