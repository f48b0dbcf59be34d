@_spi(Engine) import CoreDataRows
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// What a derived attribute is derived from (Apple: NSDerivedAttributeDescription.derivationExpression).
package enum SQLDerivation {
    /// `pages.@count`, or `count:(pages)` as models keep it.
    case count(PropertyLayout)
    /// `pages.@sum.words`, or `sum:(pages.words)`.
    case sum(PropertyLayout, of: PropertyLayout)
    /// `author.country.name`: an attribute across to-ones, or of the object itself.
    case path(Path)
    /// `canonical:(name)` and its kind: a text made of an attribute.
    case text(BuiltInFunction, Path)
    /// `now()`: when the object was saved.
    case now

    /// To-one relationships, and the attribute at their end.
    package struct Path {
        package var toOnes: [PropertyLayout]
        package var attribute: PropertyLayout
    }

    /// Nil where the property isn't derived, or by an expression of another kind.
    package init?(_ property: PropertyLayout, of entity: EntityLayout) {
        guard let expression = (property.property as? NSDerivedAttributeDescription)?.derivationExpression,
            let derivation = Self.derivation(expression, entity)
        else { return nil }
        self = derivation
    }

    private static func derivation(_ expression: NSExpression, _ entity: EntityLayout) -> SQLDerivation? {
        if expression.expressionType == .keyPath { return derivation(expression.keyPath, entity) }
        guard expression.expressionType == .function else { return nil }
        if expression.function == "now" { return .now }
        guard let argument = expression.arguments?.first, expression.arguments?.count == 1,
            argument.expressionType == .keyPath
        else { return nil }
        switch expression.function {
        case "count:": return derivation("\(argument.keyPath).@count", entity)
        case "sum:":
            let keys = argument.keyPath.split(separator: ".")
            guard keys.count == 2 else { return nil }
            return derivation("\(keys[0]).@sum.\(keys[1])", entity)
        case "canonical:": return path(argument.keyPath, entity).map { .text(.canonical, $0) }
        case "uppercase:": return path(argument.keyPath, entity).map { .text(.uppercase, $0) }
        case "lowercase:": return path(argument.keyPath, entity).map { .text(.lowercase, $0) }
        default: return nil
        }
    }

    private static func derivation(_ keyPath: String, _ entity: EntityLayout) -> SQLDerivation? {
        let keys = keyPath.split(separator: ".").map(String.init)
        guard keys.count >= 2, keys[1].hasPrefix("@") else { return path(keyPath, entity).map { .path($0) } }
        guard let relationship = entity.property(named: keys[0]), relationship.kind == .toMany else { return nil }
        switch (keys[1], keys.count) {
        case ("@count", 2): return .count(relationship)
        case ("@sum", 3):
            guard let attribute = relationship.destination?.property(named: keys[2]), attribute.rowSlot >= 0,
                SQLValueType(attribute)?.isNumber ?? false
            else { return nil }
            return .sum(relationship, of: attribute)
        default: return nil
        }
    }

    private static func path(_ keyPath: String, _ entity: EntityLayout) -> Path? {
        var toOnes: [PropertyLayout] = []
        var current: EntityLayout? = entity
        for key in keyPath.split(separator: ".").map(String.init) {
            guard let property = current?.property(named: key), property.rowSlot >= 0 else { return nil }
            if property.kind != .toOne {
                return property.elements.isEmpty ? Path(toOnes: toOnes, attribute: property) : nil
            }
            toOnes.append(property)
            current = property.destination
        }
        return nil
    }
}
