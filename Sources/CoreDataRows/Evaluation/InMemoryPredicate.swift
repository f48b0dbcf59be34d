import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

/// The predicate of a fetch as evaluation object by object can take it.
///
/// What only the model or all objects together can tell is put in its place: `words == max(words)` gets the greatest
/// number, `tags == nil` of a to-many asks whether it is empty, and a text beside a UUID or a URL is the one that it says. SQL says the
/// same in its own way.
package struct InMemoryPredicate {
    private let entity: EntityLayout
    /// The value of an aggregate over all objects of the entity.
    private let aggregate: (NSExpression) throws -> Any?

    private init(_ entity: EntityLayout, _ aggregate: @escaping (NSExpression) throws -> Any?) {
        self.entity = entity
        self.aggregate = aggregate
    }

    /// - Parameter aggregate: asked for each aggregate over all objects that the predicate names.
    package static func make(
        _ predicate: NSPredicate, for entity: EntityLayout, aggregate: @escaping (NSExpression) throws -> Any?
    ) throws -> NSPredicate {
        try InMemoryPredicate(entity, aggregate).predicate(predicate, [:])
    }

    /// The entities that variables of subqueries stand for.
    private typealias Variables = [String: EntityLayout]

    private func predicate(_ predicate: NSPredicate, _ variables: Variables) throws -> NSPredicate {
        switch predicate {
        case let compound as NSCompoundPredicate where type(of: compound) == NSCompoundPredicate.self:
            let parts = try compound.subpredicates.map { try self.predicate($0, variables) }
            if zip(parts, compound.subpredicates).allSatisfy({ $0 === $1 }) { return compound }
            return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
        case let comparison as NSComparisonPredicate where type(of: comparison) == NSComparisonPredicate.self:
            return try self.comparison(comparison, variables)
        default: return predicate
        }
    }

    private func comparison(_ comparison: NSComparisonPredicate, _ variables: Variables) throws -> NSPredicate {
        if let emptiness = emptiness(comparison, variables) { return emptiness }
        var left = try expression(comparison.leftExpression, variables)
        var right = try expression(comparison.rightExpression, variables)
        if let kind = kind(of: left, variables) {
            right = Self.typed(right, kind)
        } else if let kind = kind(of: right, variables) {
            left = Self.typed(left, kind)
        }
        if left === comparison.leftExpression, right === comparison.rightExpression { return comparison }
        if let selector = comparison.customSelector {
            return NSComparisonPredicate(leftExpression: left, rightExpression: right, customSelector: selector)
        }
        return NSComparisonPredicate(
            leftExpression: left, rightExpression: right, modifier: comparison.comparisonPredicateModifier,
            type: comparison.predicateOperatorType, options: comparison.options)
    }

    private func expression(_ expression: NSExpression, _ variables: Variables) throws -> NSExpression {
        switch expression.form {
        case .keyPath(nil, _), .function(nil, _, _):
            if EntityAggregate.isAggregate(expression, of: entity) {
                return NSExpression(forConstantValue: try aggregate(expression))
            }
            guard case .function(nil, let name, let arguments) = expression.form else { return expression }
            let parts = try arguments.map { try self.expression($0, variables) }
            if zip(parts, arguments).allSatisfy({ $0 === $1 }) { return expression }
            return NSExpression(forFunction: name, arguments: parts)
        case .keyPath(let operand?, let path):
            let base = try self.expression(operand, variables)
            return base === operand ? expression : NSExpression(form: .keyPath(operand: base, path))
        case .aggregate(let elements):
            let parts = try elements.map { try self.expression($0, variables) }
            return zip(parts, elements).allSatisfy { $0 === $1 } ? expression : NSExpression(forAggregate: parts)
        case .subquery(let collection, let name, let condition):
            let elements = elements(of: collection, variables)
            var inner = variables
            inner[name] = end(of: collection, variables)?.property.destination
            let part = try predicate(condition, inner)
            if part === condition, elements === collection { return expression }
            return NSExpression(forSubquery: elements, usingIteratorVariable: name, predicate: part)
        case .conditional(let condition, let yes, let no):
            let part = try predicate(condition, variables)
            let first = try self.expression(yes, variables)
            let second = try self.expression(no, variables)
            if part === condition, first === yes, second === no { return expression }
            return NSExpression(forConditional: part, trueExpression: first, falseExpression: second)
        default: return expression
        }
    }

    // MARK: Texts beside UUIDs and URLs

    /// What a path leads to, where it is an attribute that texts are compared with in a form of its own.
    private func kind(of path: NSExpression, _ variables: Variables) -> PropertyKind? {
        guard let kind = end(of: path, variables)?.property.kind else { return nil }
        return kind == .uuid || kind == .uri ? kind : nil
    }

    private static func typed(_ expression: NSExpression, _ kind: PropertyKind) -> NSExpression {
        func typed(_ value: Any) -> Any {
            guard let text = value as? String else { return value }
            return (kind == .uuid ? UUID(uuidString: text) : URL(string: text) as Any?) ?? text
        }
        switch expression.form {
        case .constant(let text as String): return NSExpression(forConstantValue: typed(text))
        case .constant(let list as [Any]) where list.contains { $0 is String }:
            return NSExpression(forConstantValue: list.map(typed))
        case .constant(let set as Set<AnyHashable>) where set.contains { $0.base is String }:
            return NSExpression(forConstantValue: set.map { typed($0.base) })
        case .constant(let set as NSOrderedSet) where set.contains { $0 is String }:
            return NSExpression(forConstantValue: set.map(typed))
        case .aggregate(let elements):
            return NSExpression(forAggregate: elements.map { Self.typed($0, kind) })
        default: return expression
        }
    }

    // MARK: Empty to-manys

    /// `toMany == nil` or `!= nil` as a condition on the number of objects.
    private func emptiness(_ comparison: NSComparisonPredicate, _ variables: Variables) -> NSPredicate? {
        let type = comparison.predicateOperatorType
        guard comparison.comparisonPredicateModifier == .direct, type == .equalTo || type == .notEqualTo else {
            return nil
        }
        let sides = [comparison.leftExpression, comparison.rightExpression]
        guard let place = sides.firstIndex(where: Self.isNil) else { return nil }
        let path = sides[1 - place]
        guard case .keyPath(_, let keys) = path.form, !keys.keys.contains(where: { $0.hasPrefix("@") }),
            destination(of: path, variables) != nil
        else { return nil }
        let isFilled = NSComparisonPredicate(
            leftExpression: NSExpression(form: path.form.appending(["@count"], to: path)),
            rightExpression: NSExpression(forConstantValue: 0), modifier: .direct, type: .greaterThan)
        return type == .notEqualTo ? isFilled : NSCompoundPredicate(notPredicateWithSubpredicate: isFilled)
    }

    private static func isNil(_ expression: NSExpression) -> Bool {
        guard case .constant(let value) = expression.form else { return false }
        return value == nil || value is NSNull
    }

    /// The property that a path ends in, and whether there are to-manys before it; nil where the path names something else.
    private func end(
        of path: NSExpression, _ variables: Variables
    ) -> (property: PropertyLayout, isBehindToMany: Bool)? {
        guard case .keyPath(let operand, let path) = path.form, let lastKey = path.keys.last, !Self.isSelf(lastKey)
        else { return nil }
        var current: EntityLayout?
        switch operand?.form {
        case nil, .evaluatedObject: current = entity
        case .variable(let name): current = variables[name]
        default: return nil
        }
        var found: PropertyLayout?
        var isBehindToMany = false
        for key in path.keys where !Self.isSelf(key) {
            guard let property = current?.property(named: key) else { return nil }
            isBehindToMany = isBehindToMany || found?.kind == .toMany
            (found, current) = (property, property.destination)
        }
        return found.map { ($0, isBehindToMany) }
    }

    /// What a `SUBQUERY` goes over: a to-one is a collection of one or none, as in SQL.
    private func elements(of path: NSExpression, _ variables: Variables) -> NSExpression {
        guard let (property, isBehindToMany) = end(of: path, variables), property.kind == .toOne, !isBehindToMany
        else { return path }
        let isMissing = NSComparisonPredicate(
            leftExpression: path, rightExpression: NSExpression(forConstantValue: nil), modifier: .direct,
            type: .equalTo)
        return NSExpression(
            forConditional: isMissing, trueExpression: NSExpression(forConstantValue: NSSet()),
            falseExpression: NSExpression(forAggregate: [path]))
    }

    private static func isSelf(_ key: String) -> Bool { key == "self" || key == "SELF" }

    /// The entity of the objects of the to-many that a path ends in, over to-ones only; nil for any other path.
    private func destination(of path: NSExpression, _ variables: Variables) -> EntityLayout? {
        guard let (property, isBehindToMany) = end(of: path, variables), property.kind == .toMany, !isBehindToMany
        else { return nil }
        return property.destination
    }
}

extension StoreFetch {
    /// Whether finding or ordering the results runs code of the program: a block, a comparator, or a transformer of one of the
    /// values. It has to be handed objects rather than what a store keeps of them, and runs when the store isn't locked, as it
    /// may wait for others who need the store.
    ///
    /// - Parameter isDeclared: whether a key names what a class of the program declares, and not the model.
    package func runsCode(orAsks isDeclared: (String) -> Bool = { _ in false }) -> Bool {
        let transformed: Set<String> =
            entity.model.hasTransformables
            ? entity.model.entities.reduce(into: []) { $0.formUnion($1.transformables.map(\.name)) } : []
        func isCode(_ key: String) -> Bool { transformed.contains(key) || isDeclared(key) }
        return predicate?.runsCode(isCode) ?? false
            || (sortDescriptors ?? []).contains { descriptor in
                descriptor.selector == nil
                    || descriptor.key?.split(separator: ".").contains { isCode(String($0)) } ?? false
            }
    }
}

extension NSPredicate {
    /// Whether a part of the predicate is code, which no database can be asked.
    package var asksCode: Bool { runsCode { _ in false } }

    fileprivate func runsCode(_ isCode: (String) -> Bool) -> Bool {
        switch self {
        case let compound as NSCompoundPredicate where type(of: compound) == NSCompoundPredicate.self:
            return compound.subpredicates.contains { $0.runsCode(isCode) }
        case let comparison as NSComparisonPredicate where type(of: comparison) == NSComparisonPredicate.self:
            return comparison.leftExpression.runsCode(isCode)
                || comparison.rightExpression.runsCode(isCode)
        default:
            if case .value = form { return false }
            return true
        }
    }
}

extension NSExpression {
    fileprivate func runsCode(_ isCode: (String) -> Bool) -> Bool {
        func runs(_ expression: NSExpression) -> Bool { expression.runsCode(isCode) }
        switch form {
        case .block: return true
        case .subclass: return !(self is any FetchExpression)
        case .keyPath(let operand, let path):
            return path.keys.contains(where: isCode) || operand.map(runs) ?? false
        case .function(let operand, _, let arguments):
            // A method is called on the object itself, unless it is one of a value.
            if case .evaluatedObject? = operand?.form { return true }
            return operand.map(runs) ?? false || arguments.contains(where: runs)
        case .aggregate(let elements): return elements.contains(where: runs)
        case .setOperation(_, let left, let right): return runs(left) || runs(right)
        case .subquery(let collection, _, let predicate):
            return runs(collection) || predicate.runsCode(isCode)
        case .conditional(let predicate, let yes, let no):
            return predicate.runsCode(isCode) || runs(yes) || runs(no)
        case .assignment(_, let value): return runs(value)
        case .constant, .evaluatedObject, .variable, .keyPathSpecifier, .anyKey, .symbol: return false
        }
    }
}
