@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// Makes the errors of a failed validation, with Apple's codes and user info.
enum ValidationError {
    enum Code: Int {
        case managedObject = 1550
        case multiple = 1560
        case missingMandatoryProperty = 1570
        case relationshipLacksMinimumCount = 1580
        case relationshipExceedsMaximumCount = 1590
        case relationshipDeniedDelete = 1600
        case numberTooLarge = 1610
        case numberTooSmall = 1620
        case dateTooLate = 1630
        case dateTooSoon = 1640
        case invalidDate = 1650
        case stringTooLong = 1660
        case stringTooShort = 1670
        case stringPatternMatching = 1680
        case invalidURI = 1690

        static let predicateFailed = Code.managedObject
        static let invalidType = Code.managedObject
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
        default: String("\(value)".prefix(100))
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
