@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// One entry of dictionary results: its key, the SQL that computes it, and the type to give it in.
package struct DictionaryColumn {
    package let name: String
    package let sql: SQLFragment
    package let type: SQLValueType
    /// The stored property whose value it is, if it is just that.
    package let property: PropertyLayout?
    /// What an expression description declares.
    package let declaredType: NSAttributeType?
    /// Whether the value is one of a group of rows rather than of a row.
    package let isAggregate: Bool
    /// What makes one value of the rows' values, where they are aggregates over a to-many.
    private let total: SQLAggregate?

    /// - Parameter item: a name or key path, a property description, or an expression description.
    package init(_ item: Any, _ translator: SQLTranslator) throws {
        switch item {
        case let description as NSExpressionDescription:
            try self.init(description, translator)
        case let description as NSPropertyDescription:
            try self.init(keyPath: description.name, translator)
        case let keyPath as String:
            try self.init(keyPath: keyPath, translator)
        default:
            throw SQLQueryError.make("propertiesToFetch holds \(item), which is neither a name nor a property")
        }
    }

    /// All that dictionaries of an entity hold where the request doesn't say: its attributes and to-one relationships.
    package static func names(of entity: EntityLayout) -> [String] {
        entity.properties.filter { SQLValueType($0) != nil || $0.kind == .toOne }.filter { $0.rowSlot >= 0 }.map(\.name)
    }

    private init(keyPath: String, _ translator: SQLTranslator) throws {
        let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        name = keyPath
        declaredType = nil
        isAggregate = keyPath.hasPrefix("@")
        total = keyPath.contains("@") ? Self.total(of: NSExpression(forKeyPath: keyPath), translator) : nil
        // What isn't just an attribute is translated below, and that tells why it can't be.
        if case .attribute(let column, let property) = try? SQLKeyPathResolver(scope: translator.scope).resolve(
            keys[...]),
            let type = SQLValueType(property)
        {
            sql = column
            self.type = type
            self.property = property
            return
        }
        guard case .scalar(let sql, let type) = try translator.keyPath(keys[...]) else {
            throw SQLQueryError.toManyNotAllowed(keyPath)
        }
        self.sql = sql
        self.type = type
        property = nil
    }

    private init(_ description: NSExpressionDescription, _ translator: SQLTranslator) throws {
        guard let given = description.expression else {
            throw SQLQueryError.make("the expression description \(description.name) has no expression")
        }
        let expression = EntityAggregate.column(given, of: translator.scope.entity)
        if expression.expressionType == .keyPath {
            let column = try DictionaryColumn(keyPath: expression.keyPath, translator)
            (sql, type, property) = (column.sql, column.type, column.property)
            (isAggregate, total) = (column.isAggregate, column.total)
        } else {
            (sql, type) = try translator.scalar(expression)
            property = nil
            isAggregate = try translator.hasGroupAggregate(expression)
            total = Self.total(of: expression, translator)
        }
        name = description.name
        let declared = description.expressionResultType
        declaredType = declared == .undefinedAttributeType ? nil : declared
    }

    private init(_ column: DictionaryColumn, totalled: (sql: SQLFragment, type: SQLValueType)) {
        name = column.name
        (sql, type) = totalled
        property = nil
        declaredType = column.declaredType
        isAggregate = true
        total = nil
    }

    private static func total(of expression: NSExpression, _ translator: SQLTranslator) -> SQLAggregate? {
        GroupTotal.function(for: expression, of: translator.scope.entity).flatMap(SQLAggregate.init(rawValue:))
    }

    /// The column of a group of rows, where this is an aggregate over a to-many of each of them.
    func ofGroup(_ dialect: SQLDialect) throws -> DictionaryColumn {
        guard let total, !isAggregate else { return self }
        return DictionaryColumn(self, totalled: try total.apply(to: sql, type, of: name, dialect))
    }
}
