import Foundation

/// The class names of Apple's archives, and what they become here.
package enum ArchivedClasses {
    /// Makes the names known to Foundation's unarchiver, which would find its own unusable classes under some of them.
    ///
    /// Happens by itself when a predicate, an expression or a sort descriptor is made or asked whether it can be
    /// archived; a program that reads an archive before that calls this.
    package static func register() {
        _ = registration
    }

    private static let registration: Void = {
        for name in expressionNames {
            NSKeyedUnarchiver.setClass(NSExpression.self, forClassName: name)
        }
        for name in operatorNames {
            NSKeyedUnarchiver.setClass(ArchivedOperator.self, forClassName: name)
        }
        NSKeyedUnarchiver.setClass(NSComparisonPredicate.self, forClassName: "NSComparisonPredicate")
        NSKeyedUnarchiver.setClass(NSCompoundPredicate.self, forClassName: "NSCompoundPredicate")
        NSKeyedUnarchiver.setClass(TruePredicate.self, forClassName: "NSTruePredicate")
        NSKeyedUnarchiver.setClass(FalsePredicate.self, forClassName: "NSFalsePredicate")
        NSKeyedUnarchiver.setClass(NSSortDescriptor.self, forClassName: "NSSortDescriptor")
    }()

    private static let expressionNames = [
        "NSExpression", "NSConstantValueExpression", "NSSelfExpression", "NSVariableExpression", "NSKeyPathExpression",
        "NSKeyPathSpecifierExpression", "NSFunctionExpression", "NSAggregateExpression", "NSSubqueryExpression",
        "NSSetExpression", "NSTernaryExpression", "NSAnyKeyExpression", "NSSymbolicExpression",
        "NSVariableAssignmentExpression",
    ]

    private static let operatorNames = [
        "NSPredicateOperator", "NSEqualityPredicateOperator", "NSComparisonPredicateOperator",
        "NSStringPredicateOperator", "NSSubstringPredicateOperator", "NSLikePredicateOperator",
        "NSMatchingPredicateOperator", "NSInPredicateOperator", "NSBetweenPredicateOperator",
        "NSCustomPredicateOperator",
    ]

    /// What constants may be.
    static let constantClasses: [AnyClass] = [
        NSString.self, NSNumber.self, NSDecimalNumber.self, NSDate.self, NSData.self, NSUUID.self, NSURL.self,
        NSArray.self, NSSet.self, NSOrderedSet.self, NSDictionary.self, NSNull.self,
    ]
}

// Safe: nothing of it changes once it is made.
/// `NSTruePredicate` of Apple's archives.
private final class TruePredicate: NSPredicate, @unchecked Sendable {
    override init() {
        super.init(value: true)
    }

    required init?(coder: NSCoder) {
        super.init(value: true)
    }
}

// Safe: nothing of it changes once it is made.
/// `NSFalsePredicate` of Apple's archives.
private final class FalsePredicate: NSPredicate, @unchecked Sendable {
    override init() {
        super.init(value: false)
    }

    required init?(coder: NSCoder) {
        super.init(value: false)
    }
}
