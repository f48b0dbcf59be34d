@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

/// What the values of a piece of SQL are, which decides how constants are bound beside it.
package enum SQLValueType {
    case integer
    case bool
    case real
    case decimal
    case date
    case string
    case uri
    case uuid
    case data
    /// Archived by the attribute's transformer; only equality can be asked, of the values themselves.
    case transformable(PropertyLayout)
    /// The key of an object of the entity or of one below it.
    case object(EntityLayout)
    /// The number of an entity at or below this one.
    case entity(EntityLayout)
    /// The number of an entity, of which the name is meant.
    case entityName(EntityLayout)

    package init?(_ property: PropertyLayout) {
        switch property.kind {
        case .int16, .int32, .int64: self = .integer
        case .bool: self = .bool
        case .double, .float: self = .real
        case .decimal: self = .decimal
        case .date: self = .date
        case .string: self = .string
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .data: self = .data
        case .transformable: self = .transformable(property)
        case .composite, .objectID, .undefined, .toOne, .toMany, .fetched: return nil
        }
    }

    /// Nil where no column holds what a cast makes.
    package init?(_ target: CastTarget) {
        switch target {
        case .string: self = .string
        case .number, .timeInterval: self = .real
        case .integer: self = .integer
        case .decimal: self = .decimal
        case .date: self = .date
        case .uuid: self = .uuid
        case .url: self = .uri
        case .data: self = .data
        case .array, .set, .orderedSet, .dictionary: return nil
        }
    }

    package var isNumber: Bool {
        switch self {
        case .integer, .bool, .real, .decimal: return true
        default: return false
        }
    }

    /// Whether values are more or less than one another, in SQL and in memory alike.
    package var isOrdered: Bool {
        switch self {
        case .integer, .bool, .real, .decimal, .date, .string, .uri, .uuid, .data: return true
        case .transformable, .object, .entity, .entityName: return false
        }
    }

    package var isString: Bool {
        if case .string = self { return true }
        return false
    }

    /// Whether values of the two types can be equal at all.
    package func isComparable(with other: SQLValueType) -> Bool {
        switch (self, other) {
        case (.date, .date), (.string, .string), (.uri, .uri), (.uuid, .uuid), (.data, .data): return true
        case (.transformable, .transformable): return true
        case (.object(let one), .object(let two)): return one.root === two.root
        case (.entity(let one), .entity(let two)): return one.model === two.model
        case (.entityName, .entityName): return true
        default: return isNumber && other.isNumber
        }
    }

    /// For messages.
    package var description: String {
        switch self {
        case .integer: return "an integer"
        case .bool: return "a Boolean"
        case .real: return "a number"
        case .decimal: return "a decimal"
        case .date: return "a date"
        case .string: return "a string"
        case .uri: return "a URI"
        case .uuid: return "a UUID"
        case .data: return "binary data"
        case .transformable(let property): return "the transformable attribute \(property.owner.name).\(property.name)"
        case .object(let entity): return "an object of \(entity.name)"
        case .entity: return "an entity"
        case .entityName: return "an entity's name"
        }
    }
}
