import Foundation
import FoundationCompat

import class FoundationCompat.NSComparisonPredicate
import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

/// Default values and limits of attributes, which XML models hold as text.
struct XMLAttributeValues {
    let type: NSAttributeType
    let notes: XMLReadingWarnings

    /// The default, in the class that compiled models hold for the type.
    func defaultValue(of element: XMLTree) -> Any? {
        if type == .dateAttributeType { return date("defaultDateTimeInterval", of: element) }
        guard let text = element["defaultValueString"] else { return nil }
        return value(text, "default value")
    }

    /// Predicates for the limits and the numbers of the errors that breaking them makes, the lower limit first.
    func validation(of element: XMLTree) -> (predicates: [NSPredicate], warnings: [Any]) {
        var predicates: [NSPredicate] = []
        var warnings: [Any] = []
        func add(
            _ left: NSExpression, _ comparison: NSComparisonPredicate.Operator, _ limit: Any, _ code: ValidationCode
        ) {
            predicates.append(
                NSComparisonPredicate(
                    leftExpression: left, rightExpression: NSExpression(forConstantValue: limit), modifier: .direct,
                    type: comparison))
            warnings.append(NSNumber(value: code.rawValue))
        }
        let itself = NSExpression.expressionForEvaluatedObject()
        switch type {
        case .stringAttributeType:
            let length = NSExpression(forKeyPath: "length")
            if let limit = notes.integer("minValueString", of: element) {
                add(length, .greaterThanOrEqualTo, NSNumber(value: limit), .stringTooShort)
            }
            if let limit = notes.integer("maxValueString", of: element) {
                add(length, .lessThanOrEqualTo, NSNumber(value: limit), .stringTooLong)
            }
            if let pattern = element["regularExpressionString"], !pattern.isEmpty {
                add(itself, .matches, pattern, .stringPattern)
            }
        case .dateAttributeType:
            if let limit = date("minDateTimeInterval", of: element) {
                add(itself, .greaterThanOrEqualTo, limit, .dateTooSoon)
            }
            if let limit = date("maxDateTimeInterval", of: element) {
                add(itself, .lessThanOrEqualTo, limit, .dateTooLate)
            }
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType:
            if let text = element.nonEmpty("minValueString"), let limit = value(text, "smallest value") {
                add(itself, .greaterThanOrEqualTo, limit, .numberTooSmall)
            }
            if let text = element.nonEmpty("maxValueString"), let limit = value(text, "largest value") {
                add(itself, .lessThanOrEqualTo, limit, .numberTooLarge)
            }
        default: break
        }
        return (predicates, warnings)
    }

    /// Dates are counted in seconds from the beginning of 2001.
    private func date(_ name: String, of element: XMLTree) -> Date? {
        guard let text = element.nonEmpty(name) else { return nil }
        let seconds = notes.number(text, called: name)
        guard seconds.isFinite else {
            notes.warn("the \(name) \"\(text)\" is no time; there is none then")
            return nil
        }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private func value(_ text: String, _ what: String) -> Any? {
        switch type {
        case .stringAttributeType: return text
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return NSNumber(value: notes.integer(text, called: what))
        case .doubleAttributeType, .floatAttributeType: return NSNumber(value: notes.number(text, called: what))
        case .decimalAttributeType: return NSDecimalNumber(decimal: notes.decimal(text, called: what))
        case .booleanAttributeType: return NSNumber(value: notes.flag(text, called: what))
        case .UUIDAttributeType: return UUID(uuidString: text.trimmed) ?? unusable(text, what)
        case .URIAttributeType: return URL(string: text.trimmed) ?? unusable(text, what)
        default: return nil
        }
    }

    /// What no value can be made of.
    private func unusable<Value>(_ text: String, _ what: String) -> Value? {
        if !text.trimmed.isEmpty {
            notes.warn("the \(what) \"\(text)\" does not fit the type \(type.xmlName); there is none then")
        }
        return nil
    }
}

/// The numbers of Core Data's validation errors that limits of attributes lead to.
enum ValidationCode: Int {
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    case stringPattern = 1680
}
