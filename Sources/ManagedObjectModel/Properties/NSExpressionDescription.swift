import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// A computed column of a fetch: goes into `NSFetchRequest.propertiesToFetch`, into a grouping or into an index,
/// never into an entity's properties.
open class NSExpressionDescription: NSPropertyDescription {
    /// What is computed.
    open var expression: NSExpression? { willSet { requireMutable() } }

    /// The type of the value, in the older spelling of `resultType`.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the value.
    open var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }

    package override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSExpressionDescription else { return }
        expression = other.expression
        expressionResultType = other.expressionResultType
    }

    package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSExpressionDescription, super.hasSameContents(as: other) else { return false }
        return expressionResultType == other.expressionResultType
            && ValueEquality.areEqual(expression, other.expression)
    }
}
