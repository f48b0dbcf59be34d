@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// Makes the errors of a failed validation, with Apple's codes and user info.
enum ValidationError {
    /// The codes that the validation of an object leads to, and that a model may name for a rule of its own.
    enum Code: CaseIterable {
        case managedObject, multiple, missingMandatoryProperty, relationshipLacksMinimumCount,
            relationshipExceedsMaximumCount, relationshipDeniedDelete, numberTooLarge, numberTooSmall, dateTooLate,
            dateTooSoon, invalidDate, stringTooLong, stringTooShort, stringPatternMatching, invalidURI

        static let predicateFailed = Code.managedObject
        static let invalidType = Code.managedObject

        /// Nil for any other number.
        init?(rawValue: Int) {
            guard let code = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = code
        }

        var rawValue: Int {
            switch self {
            case .managedObject: NSManagedObjectValidationError
            case .multiple: NSValidationMultipleErrorsError
            case .missingMandatoryProperty: NSValidationMissingMandatoryPropertyError
            case .relationshipLacksMinimumCount: NSValidationRelationshipLacksMinimumCountError
            case .relationshipExceedsMaximumCount: NSValidationRelationshipExceedsMaximumCountError
            case .relationshipDeniedDelete: NSValidationRelationshipDeniedDeleteError
            case .numberTooLarge: NSValidationNumberTooLargeError
            case .numberTooSmall: NSValidationNumberTooSmallError
            case .dateTooLate: NSValidationDateTooLateError
            case .dateTooSoon: NSValidationDateTooSoonError
            case .invalidDate: NSValidationInvalidDateError
            case .stringTooLong: NSValidationStringTooLongError
            case .stringTooShort: NSValidationStringTooShortError
            case .stringPatternMatching: NSValidationStringPatternMatchingError
            case .invalidURI: NSValidationInvalidURIError
            }
        }
    }

    static func make(
        _ code: Code, object: NSManagedObject, property: PropertyLayout, value: Any?, reason: String,
        predicate: NSPredicate? = nil
    ) -> NSError {
        var info: [String: Any] = [
            NSValidationObjectErrorKey: object,
            NSValidationKeyErrorKey: property.name,
        ]
        info[NSValidationValueErrorKey] = value
        info[NSValidationPredicateErrorKey] = predicate
        let texts = LocalizedModelTexts(of: object.layout)
        return .describing(
            "\(texts.entityName).\(texts.name(of: property)) \(texts.text(for: reason))"
                + "\(details(value: value, rule: predicate)).", code: code.rawValue, userInfo: info)
    }

    /// The value and the rule that it breaks, for people to read.
    private static func details(value: Any?, rule: NSPredicate?) -> String {
        let details = [value.map { "value: \(text(of: $0))" }, rule.map { "rule: \($0.predicateFormat)" }]
        let known = details.compactMap { $0 }
        return known.isEmpty ? "" : " (\(known.joined(separator: "; ")))"
    }

    private static func text(of value: Any) -> String {
        switch value {
        case let object as NSManagedObject: object.objectID.uriRepresentation().absoluteString
        case let text as String: "'\(text.prefix(100))\(text.count > 100 ? "…" : "")'"
        case let data as Data: "\(data.count) bytes"
        default: String(PrintedValue.text(of: value).prefix(100))
        }
    }

    /// One error for several; nested lists are flattened.
    static func combined(_ failures: [NSError]) -> NSError {
        let flat = failures.flatMap { ($0.userInfo[NSDetailedErrorsKey] as? [NSError]) ?? [$0] }
        let list = flat.map { "  - \($0.localizedDescription)" }.joined(separator: "\n")
        return .describing(
            "Multiple validation errors occurred:\n\(list)", code: Code.multiple.rawValue,
            userInfo: [NSDetailedErrorsKey: flat])
    }
}
