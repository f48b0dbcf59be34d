import Foundation
import FoundationCompat

import class FoundationCompat.NSComparisonPredicate
import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate

/// Default values and limits of attributes, which XML models hold as text.
struct XMLAttributeValues {
    let type: NSAttributeType

    /// The default, in the class that compiled models hold for the type.
    func defaultValue(of element: XMLTree) throws -> Any? {
        if type == .dateAttributeType { return try date("defaultDateTimeInterval", of: element) }
        guard let text = element["defaultValueString"] else { return nil }
        return try value(text, "default value")
    }

    /// Predicates for the limits and the numbers of the errors that breaking them makes, the lower limit first.
    func validation(of element: XMLTree) throws -> (predicates: [NSPredicate], warnings: [Any]) {
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
            if let limit = try XMLModelReader.integer("minValueString", of: element) {
                add(length, .greaterThanOrEqualTo, NSNumber(value: limit), .stringTooShort)
            }
            if let limit = try XMLModelReader.integer("maxValueString", of: element) {
                add(length, .lessThanOrEqualTo, NSNumber(value: limit), .stringTooLong)
            }
            if let pattern = element["regularExpressionString"], !pattern.isEmpty {
                add(itself, .matches, pattern, .stringPattern)
            }
        case .dateAttributeType:
            if let limit = try date("minDateTimeInterval", of: element) {
                add(itself, .greaterThanOrEqualTo, limit, .dateTooSoon)
            }
            if let limit = try date("maxDateTimeInterval", of: element) {
                add(itself, .lessThanOrEqualTo, limit, .dateTooLate)
            }
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
            .doubleAttributeType, .floatAttributeType:
            if let text = element["minValueString"], let limit = try value(text, "smallest value") {
                add(itself, .greaterThanOrEqualTo, limit, .numberTooSmall)
            }
            if let text = element["maxValueString"], let limit = try value(text, "largest value") {
                add(itself, .lessThanOrEqualTo, limit, .numberTooLarge)
            }
        default: break
        }
        return (predicates, warnings)
    }

    /// Dates are counted in seconds from the beginning of 2001.
    private func date(_ name: String, of element: XMLTree) throws -> Date? {
        guard let text = element[name] else { return nil }
        guard let seconds = Double(text.trimmed), seconds.isFinite else { throw unreadable(text, name) }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private func value(_ text: String, _ what: String) throws -> Any? {
        switch type {
        case .stringAttributeType: return text
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            if let integer = Int(text.trimmed) { return NSNumber(value: integer) }
            // Xcode once wrote "0.0" for integers; the compiled model has the whole part.
            guard let number = Double(text.trimmed), let integer = Int(exactly: number.rounded(.towardZero)) else {
                throw unreadable(text, what)
            }
            return NSNumber(value: integer)
        case .doubleAttributeType, .floatAttributeType:
            guard let number = Double(text.trimmed) else { throw unreadable(text, what) }
            return NSNumber(value: number)
        case .decimalAttributeType:
            guard let number = Decimal(string: text.trimmed, locale: Locale(identifier: "en_US_POSIX")) else {
                throw unreadable(text, what)
            }
            return NSDecimalNumber(decimal: number)
        case .booleanAttributeType: return NSNumber(value: ["YES", "true", "1"].contains(text.trimmed))
        case .UUIDAttributeType:
            guard let uuid = UUID(uuidString: text.trimmed) else { throw unreadable(text, what) }
            return uuid
        case .URIAttributeType:
            guard let url = URL(string: text.trimmed) else { throw unreadable(text, what) }
            return url
        default: return nil
        }
    }

    private func unreadable(_ text: String, _ what: String) -> ModelFileError {
        ModelFileError(.malformed, "the \(what) \"\(text)\" does not fit the type \(type.xmlName)")
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
