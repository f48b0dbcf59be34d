import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSExpression

/// What the expressions of a mapping model evaluate to.
extension NSMigrationManager {
    /// The value of a property mapping's expression.
    func value(of property: NSPropertyMapping, in scope: inout MappingScope) throws -> Any? {
        guard let expression = property.valueExpression else { return nil }
        var evaluation = scope.scope(for: property)
        let mapping = scope.mapping.name ?? ""
        return try evaluate(
            expression, &evaluation, for: "the property '\(property.name ?? "")' of the mapping \(mapping)")
    }

    /// The value of an expression with these variables, for a place that an error names.
    func evaluate(_ expression: NSExpression, _ bindings: [String: Any], for place: String) throws -> Any? {
        var scope = EvaluationScope(
            bindings: bindings, strictness: .throwing, context: NSMutableDictionary(dictionary: bindings))
        return try evaluate(expression, &scope, for: place)
    }

    /// The value of an expression in a scope; an error that isn't Cocoa's is told as one of the migration.
    private func evaluate(
        _ expression: NSExpression, _ scope: inout EvaluationScope, for place: @autoclosure () -> String
    ) throws -> Any? {
        do {
            return try expression.value(for: scope.bindings?["source"], &scope)
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            throw error
        } catch {
            throw MigrationError.make(
                "The expression \(expression) for \(place()) has no value: \(error)",
                code: NSEntityMigrationPolicyError, [NSUnderlyingErrorKey: error])
        }
    }
}
