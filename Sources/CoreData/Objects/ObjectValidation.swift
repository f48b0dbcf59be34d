@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// The model's rules, checked on an object: optionality, types, predicates, counts, delete rules.
enum ObjectValidation {
    /// Checks every persistent property; several failures come as one error that lists them.
    static func validateProperties(of object: NSManagedObject) throws {
        var failures: [any Error] = []
        let hasOwnRules = object.overridesValueValidation
        for property in hasOwnRules ? object.layout.validatedProperties : object.layout.ruledProperties {
            if !hasOwnRules, isSureToBeValid(property, in: object) { continue }
            var value = property.kind == .toMany ? nil : object.primitiveValue(of: property)
            let before = value
            do {
                if property.kind == .toMany {
                    try validateMembers(of: property, in: object)
                } else {
                    try object.validateValue(&value, forKey: property.name)
                    if !isSame(value, before) { object.setValue(value, forKey: property.name) }
                }
            } catch {
                failures.append(error)
            }
        }
        try throwCombined(failures)
    }

    /// Whether a look at the row is enough: the type of what it holds was checked when it was set.
    private static func isSureToBeValid(_ property: PropertyLayout, in object: NSManagedObject) -> Bool {
        guard property.hasNoRules else { return false }
        return property.isOptional || !object.field(property).isNull
    }

    /// Throws the only failure as it is, which may be an error of the program's own type, and several as one error.
    static func throwCombined(_ failures: [any Error]) throws {
        if failures.isEmpty { return }
        if failures.count == 1 { throw failures[0] }
        throw ValidationError.combined(failures.map { $0 as NSError })
    }

    /// Checks one value: type, optionality, predicates.
    static func validate(_ value: inout Any?, forKey key: String, of object: NSManagedObject) throws {
        guard let property = object.layout.property(named: key) else { return }
        if value is NSNull { value = nil }
        if property.kind == .toMany { return try validateMembers(of: property, in: object) }
        guard let given = value else {
            if !property.isOptional, !property.isDerived {
                throw ValidationError.make(
                    .missingMandatoryProperty, object: object, property: property, value: nil,
                    reason: "is required and has no value")
            }
            return
        }
        if property.kind != .toOne, property.kind != .composite, FieldValue(given, kind: property.kind) == nil {
            guard let coerced = ValueCoercion.value(given, as: property.kind) else {
                throw ValidationError.make(
                    .invalidType, object: object, property: property, value: given,
                    reason: "is of the wrong type (\(type(of: given)))")
            }
            value = coerced
            return try checkPredicates(of: property, value: coerced, object: object)
        }
        if property.kind == .toOne, (given as? NSManagedObject)?.isToBeDeleted == true, !property.isOptional {
            throw ValidationError.make(
                .missingMandatoryProperty, object: object, property: property, value: given,
                reason: "is required and refers to an object that is being deleted")
        }
        try checkPredicates(of: property, value: given, object: object)
    }

    private static func checkPredicates(of property: PropertyLayout, value: Any, object: NSManagedObject) throws {
        let warnings = property.property.validationWarnings
        for (index, predicate) in property.property.validationPredicates.enumerated() {
            do {
                if try predicate.answer(for: value) { continue }
            } catch {
                throw ValidationError.make(
                    .predicateFailed, object: object, property: property, value: value,
                    reason: "can't be checked: \(error)", predicate: predicate)
            }
            let warning = index < warnings.count ? warnings[index] : nil
            let code =
                (warning as? NSNumber).flatMap { ValidationError.Code(rawValue: $0.intValue) } ?? .predicateFailed
            let text = warning as? String ?? "breaks the rule '\(predicate.predicateFormat)'"
            throw ValidationError.make(
                code, object: object, property: property, value: value, reason: text, predicate: predicate)
        }
    }

    private static func validateMembers(of property: PropertyLayout, in object: NSManagedObject) throws {
        guard let relationship = property.relationship else { return }
        let (minimum, maximum) = (relationship.minCount, relationship.maxCount)
        if minimum == 0, maximum == 0, property.isOptional { return }
        // An untouched relationship of a saved object was valid when it was saved, unless nothing was checked then.
        let wasChecked = !object.wasNeverSaved && object.ownContext?.savesUnvalidated != true
        if wasChecked, object.state?.toManys[property.index]?.hasChanges != true { return }
        let count = object.members(property).count
        if count == 0 {
            // A set without objects is a value: it's the minimum that asks for one (seen in tests of JSQCoreDataKit, which save
            // objects with an empty relationship that isn't optional).
            if !property.isOptional, minimum > 0 {
                // An empty set is too few objects, and not a missing value (Apple: CoreDataErrors.h).
                throw ValidationError.make(
                    .relationshipLacksMinimumCount, object: object, property: property, value: nil,
                    reason: "is required and has no objects")
            }
            return
        }
        if minimum > 0, count < minimum {
            throw ValidationError.make(
                .relationshipLacksMinimumCount, object: object, property: property, value: nil,
                reason: "has \(count) objects, and needs at least \(minimum)")
        }
        if maximum > 0, count > maximum {
            throw ValidationError.make(
                .relationshipExceedsMaximumCount, object: object, property: property, value: nil,
                reason: "has \(count) objects, and may have at most \(maximum)")
        }
    }

    static func isSame(_ left: Any?, _ right: Any?) -> Bool {
        switch (left, right) {
        case (nil, nil): return true
        case (let left?, let right?):
            if type(of: left) is AnyClass, (left as AnyObject) === (right as AnyObject) { return true }
            if isFoundationCollection(left), isFoundationCollection(right) {
                return (left is NSOrderedSet) == (right is NSOrderedSet)
                    && ValueIdentity.key(left).map { $0 == ValueIdentity.key(right) } ?? false
            }
            if let one = left as? AnyHashable, let other = right as? AnyHashable {
                return one == other && ValueIdentity.key(left) == ValueIdentity.key(right)
            }
            // The elements of a composite.
            if let left = left as? [String: Any], let right = right as? [String: Any] {
                return left.count == right.count && left.allSatisfy { isSame($0.value, right[$0.key]) }
            }
            return (left as AnyObject) === (right as AnyObject)
        default: return false
        }
    }

    /// Foundation's sets on Linux end the program where they are compared and have a collection in them, at any depth.
    private static func isFoundationCollection(_ value: Any) -> Bool {
        value is NSSet || value is NSArray || value is NSDictionary || value is NSOrderedSet
    }
}

extension PropertyLayout {
    /// Whether the store computes the value.
    var isDerived: Bool { property is NSDerivedAttributeDescription }
}
