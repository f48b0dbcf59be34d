import Foundation
import FoundationCompat

import class FoundationCompat.NSComparisonPredicate
import class FoundationCompat.NSPredicate

/// Writes attributes as XML; the counterpart of `XMLAttributeReader`.
enum XMLAttributeWriter {
    static func element(for attribute: NSAttributeDescription, context: XMLWritingContext) -> XMLTree {
        let element = XMLTree("attribute")
        element.set("name", attribute.name)
        if attribute.attributeType != .undefinedAttributeType {
            element.set("attributeType", attribute.attributeType.xmlName)
        }
        if let composite = attribute as? NSCompositeAttributeDescription {
            element.set("composite", XMLCompositeWriter.name(for: composite, context: context))
        }
        if let derived = attribute as? NSDerivedAttributeDescription {
            element.set("derived", true)
            element.set("derivationExpression", derived.derivationExpression.map(DerivationExpression.text(of:)))
        }
        setDefault(of: attribute, on: element, context: context)
        setLimits(of: attribute, on: element, context: context)
        element.set("valueTransformerName", attribute.valueTransformerName)
        element.set("customClassName", attribute.explicitValueClassName)
        element.set("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
        element.set("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
        element.set("allowsCloudEncryption", attribute.allowsCloudEncryption)
        let isElement = attribute.declaringEntity == nil
        element.set("indexed", !isElement && context.indexedAttributes.contains(attribute.name))
        XMLEntityWriter.setCommonAttributes(of: attribute, on: element, context: context)
        return element
    }

    private static func setDefault(
        of attribute: NSAttributeDescription, on element: XMLTree, context: XMLWritingContext
    ) {
        guard let value = attribute.defaultValue else { return }
        switch (attribute.attributeType, value) {
        case (.dateAttributeType, let date as Date):
            element.set("defaultDateTimeInterval", number(date.timeIntervalSinceReferenceDate))
        case (.booleanAttributeType, let flag as NSNumber):
            element.set("defaultValueString", flag.boolValue ? "YES" : "NO")
        case (_, let text as String): element.set("defaultValueString", text)
        case (_, let uuid as UUID): element.set("defaultValueString", uuid.uuidString)
        case (_, let url as URL): element.set("defaultValueString", url.absoluteString)
        case (_, let decimal as NSDecimalNumber): element.set("defaultValueString", "\(decimal.decimalValue)")
        case (.doubleAttributeType, let value as NSNumber), (.floatAttributeType, let value as NSNumber):
            element.set("defaultValueString", "\(value.doubleValue)")
        case (_, let value as NSNumber): element.set("defaultValueString", value.stringValue)
        default: context.omit("the default value, a \(type(of: value))")
        }
    }

    /// The validation predicates that XML has attributes for: limits of values, lengths and a pattern.
    private static func setLimits(
        of attribute: NSAttributeDescription, on element: XMLTree, context: XMLWritingContext
    ) {
        for (predicate, warning) in zip(attribute.validationPredicates, attribute.validationWarnings) {
            let code = (warning as? NSNumber).flatMap { ValidationCode(rawValue: $0.intValue) }
            guard let code, let comparison = predicate as? NSComparisonPredicate,
                case .constant(let limit?) = comparison.rightExpression.form
            else {
                context.omit("the validation predicate \(predicate.parsableFormat)")
                continue
            }
            let text = (limit as? Date).map { number($0.timeIntervalSinceReferenceDate) } ?? "\(limit)"
            switch code {
            case .numberTooSmall, .stringTooShort: element.set("minValueString", text)
            case .numberTooLarge, .stringTooLong: element.set("maxValueString", text)
            case .dateTooSoon: element.set("minDateTimeInterval", text)
            case .dateTooLate: element.set("maxDateTimeInterval", text)
            case .stringPattern: element.set("regularExpressionString", text)
            }
        }
    }

    /// Whole seconds are written without a fraction, as Xcode does.
    private static func number(_ seconds: Double) -> String {
        Int(exactly: seconds).map(String.init) ?? "\(seconds)"
    }
}
