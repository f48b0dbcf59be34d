import Foundation
import FoundationCompat

import class FoundationCompat.NSComparisonPredicate
import class FoundationCompat.NSPredicate

/// Checks an attribute: its type, its default value and what belongs to special kinds.
struct AttributeChecks {
    let attribute: NSAttributeDescription

    func report(to add: (ModelIssue.Severity, String) -> Void) {
        switch attribute.attributeType {
        case .undefinedAttributeType where !attribute.isTransient && !(attribute is NSDerivedAttributeDescription):
            add(.error, "the type is undefined, which only transient attributes may be")
        case .objectIDAttributeType: add(.error, "the type object ID is for the results of expressions only")
        case .transformableAttributeType where attribute.valueTransformerName == nil && !attribute.isTransient:
            add(
                .warning,
                "it has no value transformer: name NSSecureUnarchiveFromData or a transformer of your own")
        case .compositeAttributeType: reportComposite(to: add)
        default: break
        }
        if attribute.allowsExternalBinaryDataStorage, attribute.attributeType != .binaryDataAttributeType {
            if attribute.attributeType != .transformableAttributeType {
                add(.error, "only binary data can be stored externally")
            }
        }
        if let derived = attribute as? NSDerivedAttributeDescription, derived.derivationExpression == nil {
            add(.error, "it is derived, but nothing says from what")
        }
        if let value = attribute.defaultValue, let limit = brokenLimit(by: value) {
            add(.warning, "the default value \(value) is outside of the limit \(limit)")
        }
    }

    private func reportComposite(to add: (ModelIssue.Severity, String) -> Void) {
        guard let composite = attribute as? NSCompositeAttributeDescription else {
            add(.error, "the type is composite, but it has no elements")
            return
        }
        if composite.elements.isEmpty { add(.warning, "the composite has no elements") }
        for element in composite.elements {
            if [.undefinedAttributeType, .objectIDAttributeType].contains(element.attributeType) {
                add(.error, "the element \(element.name) has a type that elements cannot have")
            }
            if element.allowsExternalBinaryDataStorage {
                add(.error, "the element \(element.name) cannot be stored externally")
            }
        }
    }

    /// The text of the first limit that the value breaks. Only limits that Xcode can set are looked at.
    private func brokenLimit(by value: Any) -> String? {
        for (predicate, warning) in zip(attribute.validationPredicates, attribute.validationWarnings) {
            guard let comparison = predicate as? NSComparisonPredicate,
                let code = (warning as? NSNumber).flatMap({ ValidationCode(rawValue: $0.intValue) }),
                case .constant(let limit?) = comparison.rightExpression.form
            else { continue }
            let isBroken: Bool
            switch code {
            case .numberTooLarge: isBroken = order(value, limit) == .orderedDescending
            case .numberTooSmall: isBroken = order(value, limit) == .orderedAscending
            case .stringTooLong: isBroken = order((value as? String)?.utf16.count, limit) == .orderedDescending
            case .stringTooShort: isBroken = order((value as? String)?.utf16.count, limit) == .orderedAscending
            case .dateTooLate: isBroken = (value as? Date).flatMap { day in (limit as? Date).map { day > $0 } } ?? false
            case .dateTooSoon: isBroken = (value as? Date).flatMap { day in (limit as? Date).map { day < $0 } } ?? false
            case .stringPattern: isBroken = false
            }
            if isBroken { return predicate.predicateFormat }
        }
        return nil
    }

    private func order(_ value: Any?, _ limit: Any) -> ComparisonResult? {
        guard let value = value as? NSNumber, let limit = limit as? NSNumber else { return nil }
        return value.compare(limit)
    }
}
