import Foundation
import FoundationCompat
import ManagedObjectModel

/// One entry of dictionary results over values in memory: its key, and the expression that it is the value of.
struct InMemoryColumn {
    let name: String
    let expression: NSExpression
    /// Whether the value is one of a group of records rather than of a record.
    let isAggregate: Bool
    /// The function that makes one value of the records' values, where they are aggregates over a to-many.
    let total: String?
    /// What an expression description declares.
    private let declaredType: NSAttributeType?

    /// - Parameter item: a name or key path, a property description, or an expression description.
    init(_ item: Any, _ entity: EntityLayout) throws {
        switch item {
        case let description as NSExpressionDescription: try self.init(description, entity)
        case let description as NSPropertyDescription: try self.init(keyPath: description.name, entity)
        case let keyPath as String: try self.init(keyPath: keyPath, entity)
        default: throw Self.invalid("propertiesToFetch holds \(item), which is neither a name nor a property")
        }
    }

    private init(_ description: NSExpressionDescription, _ entity: EntityLayout) throws {
        guard let given = description.expression else {
            throw Self.invalid("the expression description \(description.name) has no expression")
        }
        let expression = EntityAggregate.column(given, of: entity)
        name = description.name
        self.expression = expression
        let groups = GroupEvaluation(entity)
        try groups.check(expression)
        isAggregate = groups.hasAggregate(expression)
        total = isAggregate ? nil : GroupTotal.function(for: expression, of: entity)
        let declared = description.expressionResultType
        declaredType = declared == .undefinedAttributeType ? nil : declared
    }

    private init(keyPath: String, _ entity: EntityLayout) throws {
        try FetchedKeyPath(keyPath, from: entity).requireToOnes()
        name = keyPath
        expression = NSExpression(forKeyPath: keyPath)
        isAggregate = keyPath.hasPrefix("@")
        total = isAggregate ? nil : GroupTotal.function(for: expression, of: entity)
        declaredType = nil
    }

    /// All that dictionaries of an entity hold where the request doesn't say: its attributes and to-one relationships.
    static func names(of entity: EntityLayout) -> [String] {
        entity.properties.filter { $0.rowSlot >= 0 && $0.isPersistent && $0.kind != .objectID }.map(\.name)
    }

    /// The value as the dictionary has it: objects as their IDs, numbers in the type that was declared.
    ///
    /// - Throws: an error when the value is a collection.
    func result(_ value: Any?) throws -> Any? {
        switch value {
        case nil, is NSNull: return nil
        case let object as any PredicateComparableObject: return object.predicateIdentity.base
        case let number as NSNumber: return declaredType?.conforming(number) ?? number
        case is NSSet, is NSOrderedSet:
            throw Self.invalid("\(name) of propertiesToFetch leads to a collection")
        case .some(let value): return value
        }
    }

    static func invalid(_ text: String) -> any Error { CoreDataError.make(NSCoreDataError, text) }
}
