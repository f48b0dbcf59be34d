import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// The triggers that keep a derived attribute up to date.
///
/// Two kinds of derivation were seen in stores, and only they have triggers: the number of objects in a one-to-many
/// (SampleModel2) and an attribute across a to-one (Photos, ChatModel).
struct SQLiteDerivedAttribute {
    /// The SQL functions that the triggers call. Each connection that writes has to have them; their results aren't used.
    static let functions = [
        "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        "NSCoreDataTriggerUpdateAffectedObjectValue",
    ]

    private let entity: SQLiteEntity
    private let attribute: String
    private let column: String

    /// The trigger statements of the attributes that an entity derives itself.
    static func statements(of entity: SQLiteEntity, in schema: SQLiteSchema) -> [String] {
        entity.layout.ownProperties.flatMap { property -> [String] in
            guard let expression = (property.property as? NSDerivedAttributeDescription)?.derivationExpression,
                let column = entity.column(of: property)?.name
            else { return [] }
            let derived = SQLiteDerivedAttribute(entity: entity, attribute: property.name, column: column)
            if let relationship = countedRelationship(expression) {
                return derived.countStatements(relationship)
            }
            if expression.expressionType == .keyPath {
                return derived.pathStatements(expression.keyPath, in: schema)
            }
            return []
        }
    }

    /// Whether triggers compute an attribute, so that nobody else may write it.
    static func isKeptByTriggers(_ property: PropertyLayout, of entity: SQLiteEntity) -> Bool {
        guard let expression = (property.property as? NSDerivedAttributeDescription)?.derivationExpression else {
            return false
        }
        if let relationship = countedRelationship(expression) {
            guard let counted = entity.layout.property(named: relationship) else { return false }
            if case .foreignKey? = entity.toMany(counted) { return true }
            return false
        }
        guard expression.expressionType == .keyPath else { return false }
        let parts = expression.keyPath.split(separator: ".").map(String.init)
        return parts.count == 2 && entity.layout.property(named: parts[0])?.kind == .toOne
    }

    /// The relationship whose objects an expression counts: `pages.@count`, or `count:(pages)` as models keep it.
    private static func countedRelationship(_ expression: NSExpression) -> String? {
        switch expression.expressionType {
        case .function where expression.function == "count:":
            guard let argument = expression.arguments?.first, argument.expressionType == .keyPath else { return nil }
            return argument.keyPath
        case .keyPath where expression.keyPath.hasSuffix(".@count"):
            return String(expression.keyPath.dropLast(".@count".count))
        default: return nil
        }
    }

    private func name(_ table: String, _ event: String) -> String {
        "Z_DA_\(table)_\(entity.name)_\(attribute)_\(event)"
    }

    /// Tells the framework which row changed.
    private func notification(_ row: String, isInsert: Bool) -> String {
        let function = Self.functions[isInsert ? 1 : 0]
        return "SELECT \(function)('\(entity.table)', Z_ENT, Z_PK, '\(attribute)', \(column)) "
            + "FROM \(entity.table) WHERE \(row)"
    }

    private func trigger(
        _ table: String, _ event: String, after: String, when: String = "", set: String, row: String,
        isInsert: Bool = false
    ) -> String {
        "CREATE TRIGGER \(name(table, event)) AFTER \(after) ON \(table) FOR EACH ROW \(when)BEGIN "
            + "UPDATE \(entity.table) SET \(column) = \(set) WHERE \(row); "
            + "\(notification(row, isInsert: isInsert)); END"
    }

    private func countStatements(_ relationship: String) -> [String] {
        guard let property = entity.layout.property(named: relationship),
            case .foreignKey(let key)? = entity.toMany(property)
        else { return [] }
        let new = "WHEN (NEW.\(key.column) NOT NULL) "
        let old = "WHEN (OLD.\(key.column) NOT NULL) "
        let newRow = "Z_PK = NEW.\(key.column)"
        let oldRow = "Z_PK = OLD.\(key.column)"
        return [
            trigger(
                key.table, "PARAMETER_INSERT", after: "INSERT", when: new, set: "IFNULL(\(column), 0) + 1", row: newRow),
            trigger(
                key.table, "PARAMETER_UPDATE_INCREMENT", after: "UPDATE OF \(key.column)", when: new,
                set: "\(column) + 1", row: newRow),
            trigger(
                key.table, "PARAMETER_UPDATE_DECREMENT", after: "UPDATE OF \(key.column)", when: old,
                set: "\(column) - 1", row: oldRow),
            trigger(
                key.table, "PARAMETER_DELETE", after: "DELETE", when: old, set: "\(column) - 1", row: oldRow),
            trigger(
                entity.table, "SOURCE_INSERT", after: "INSERT",
                set: "(SELECT IFNULL(COUNT(\(key.column)), 0) FROM \(key.table) WHERE \(key.column) = NEW.Z_PK)",
                row: "Z_PK = NEW.Z_PK", isInsert: true),
        ]
    }

    private func pathStatements(_ keyPath: String, in schema: SQLiteSchema) -> [String] {
        let parts = keyPath.split(separator: ".").map(String.init)
        guard parts.count == 2, let toOne = entity.layout.property(named: parts[0]), toOne.kind == .toOne,
            let key = entity.column(of: toOne)?.name, let destinationLayout = toOne.destination,
            let destination = schema.entities[destinationLayout.index],
            let source = destinationLayout.property(named: parts[1]).flatMap({ destination.column(of: $0) })?.name
        else { return [] }
        let selection = "(SELECT \(source) FROM \(destination.table) WHERE Z_PK = NEW.\(key))"
        let ownRow = "Z_PK = NEW.Z_PK"
        let pointingRows = "\(key) = NEW.Z_PK"
        return [
            trigger(entity.table, "SOURCE_INSERT", after: "INSERT", set: selection, row: ownRow, isInsert: true),
            trigger(entity.table, "SOURCE_UPDATE", after: "UPDATE OF \(key)", set: selection, row: ownRow),
            trigger(
                destination.table, "PARAMETER_INSERT", after: "INSERT", set: "NEW.\(source)", row: pointingRows,
                isInsert: true),
            trigger(
                destination.table, "PARAMETER_UPDATE", after: "UPDATE OF \(source)", set: "NEW.\(source)",
                row: pointingRows),
        ]
    }
}
