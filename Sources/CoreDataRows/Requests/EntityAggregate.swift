import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// Aggregates over all objects of a fetch's entity, such as `max:(words)` and `@max.words` in `words == max(words)`.
package enum EntityAggregate {
    /// The functions that make one value of many records.
    package static let functions: Set<String> = [
        "count:", "sum:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    ]

    /// Whether an aggregate function of this argument is one over many records: it isn't where the argument has many
    /// values by itself, or the same one for all.
    package static func isApplied(to argument: NSExpression, of entity: EntityLayout) -> Bool {
        switch argument.form {
        case .evaluatedObject: return true
        case .keyPath(nil, let path):
            if path.keys.contains(where: { $0.hasPrefix("@") }) { return !path.keys[0].hasPrefix("@") }
            // A key path that doesn't exist is reported when the argument is evaluated.
            guard let checked = try? FetchedKeyPath(path.string, from: entity) else { return false }
            return !checked.passesToMany && !checked.isList
        case .function(nil, let name, let arguments):
            return !functions.contains(name) && arguments.contains { isApplied(to: $0, of: entity) }
                && arguments.allSatisfy { isApplied(to: $0, of: entity) || $0.isConstant }
        case .conditional(_, let yes, let no):
            return isApplied(to: yes, of: entity) && isApplied(to: no, of: entity)
        default: return false
        }
    }

    /// The expression of a column. `name.@count` of an attribute, in which no object has more than one value, is the function over
    /// the records of a group, `count:(name)` (seen in a published test suite).
    package static func column(_ expression: NSExpression, of entity: EntityLayout) -> NSExpression {
        guard case .keyPath(nil, let path) = expression.form, let last = path.keys.last,
            let function = functionsOfOperators[last], path.keys.count > 1
        else { return expression }
        let value = path.keys.dropLast().joined(separator: ".")
        let argument = NSExpression(forKeyPath: value)
        // A path that leads nowhere is told when the column is made.
        guard isApplied(to: argument, of: entity), !value.contains("@") else { return expression }
        return NSExpression(forFunction: function, arguments: [argument])
    }

    private static let functionsOfOperators = [
        "@count": "count:", "@sum": "sum:", "@min": "min:", "@max": "max:", "@avg": "average:",
    ]

    /// Whether the expression has one value for all objects of the entity.
    package static func isAggregate(_ expression: NSExpression, of entity: EntityLayout) -> Bool {
        switch expression.form {
        case .function(nil, let name, let arguments):
            return arguments.count == 1 && functions.contains(name) && isApplied(to: arguments[0], of: entity)
        case .keyPath(nil, let path): return path.keys[0].hasPrefix("@")
        default: return false
        }
    }
}
