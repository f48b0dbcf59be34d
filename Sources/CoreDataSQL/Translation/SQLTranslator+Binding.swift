@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// A constant, beside a value of a certain type.
package enum SQLBoundConstant {
    case null
    case value(SQLBinding)
    /// Of a type with which nothing of that type is ever equal, or an object that the store doesn't have.
    case other
}

extension SQLTranslator {
    /// The constant as it is bound to be compared with values of a type.
    package func bind(_ constant: Any?, as type: SQLValueType) -> SQLBoundConstant {
        guard let constant = Optional.flattened(constant), !(constant is NSNull) else { return .null }
        switch type {
        case .object(let entity): return bind(object: constant, as: entity)
        case .entity(let entity): return bind(entity: constant, in: entity.model)
        case .entityName: return .other
        case .transformable(let property): return bind(constant, transformedBy: property)
        default: break
        }
        guard let bound = SQLConstant(constant), let natural = bound.type else { return .other }
        guard type.isComparable(with: natural) else { return bindByAffinity(bound, natural, as: type) }
        switch bound.binding {
        // "Not a number" equals nothing; SQLite would read it as null, and as a decimal it is a text.
        case .double(let value) where value.isNaN: return .other
        case .text where type.isNumber: return .other
        default: return .value(bound.binding)
        }
    }

    /// A number beside strings as its text, and a text that is a number beside numbers as the number: what the affinity
    /// of the columns makes of the value that Apple's framework binds (https://sqlite.org/datatype3.html). A text beside UUIDs or URLs
    /// is the one that it says (seen in tests of richardpiazza's CoreDataPlus, and in many apps).
    private func bindByAffinity(_ bound: SQLConstant, _ natural: SQLValueType, as type: SQLValueType)
        -> SQLBoundConstant
    {
        switch (bound.binding, type) {
        case (.int(let value), .string): return .value(.text(value.description))
        case (.double(let value), .string) where natural.isNumber:
            let text = value.description
            return .value(.text(text.contains(".") ? text : text.replacingOccurrences(of: "e", with: ".0e")))
        case (.text(let text), _) where natural.isString && type.isNumber:
            if let value = Int64(text) { return .value(.int(value)) }
            return Double(text).map { .value(.double($0)) } ?? .other
        case (.text(let text), .uuid) where natural.isString:
            return UUID(uuidString: text).flatMap { SQLConstant($0) }.map { .value($0.binding) } ?? .other
        case (.text, .uri) where natural.isString: return .value(bound.binding)
        default: return .other
        }
    }

    private func bind(object constant: Any, as entity: EntityLayout) -> SQLBoundConstant {
        guard case .key(let key)? = coder.identity(constant) else { return .other }
        let found = entity.model.entities[Int(key.entityIndex)]
        // Keys are unique below one root only.
        return found.root === entity.root ? .value(.int(key.handle)) : .other
    }

    private func bind(entity constant: Any, in model: ModelLayout) -> SQLBoundConstant {
        guard let description = constant as? NSEntityDescription, let layout = model.layout(of: description),
            // An entity that the store doesn't hold has no rows that could be equal.
            let number = scope.schema.number(ofEntityAt: layout.index)
        else { return .other }
        return .value(.int(number))
    }

    private func bind(_ constant: Any, transformedBy property: PropertyLayout) -> SQLBoundConstant {
        // What can't be archived is in no row.
        guard let data = try? coder.archive(constant, property) else { return .other }
        return .value(.blob(data))
    }
}
