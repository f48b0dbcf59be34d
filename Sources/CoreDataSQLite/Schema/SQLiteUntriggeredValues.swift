@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB
import ManagedObjectModel
import Synchronization

/// Writes the derived attributes that no trigger keeps: `now()`, and texts in a form that SQLite can't make.
///
/// How Apple's framework keeps these isn't known. Triggers that call functions of ours would keep it from writing to the
/// file at all, so they are computed after each save, in its transaction.
package struct SQLiteUntriggeredValues: Sendable {
    private struct Attribute: Sendable {
        let entity: SQLiteEntity
        let name: String
        let column: String
        /// Nil for the time.
        let text: (function: BuiltInFunction, path: SQLiteDerivedPath)?
    }

    private let attributes: [Attribute]

    package init(_ schema: SQLiteSchema) {
        attributes = schema.entities.compactMap { $0 }.flatMap { entity in
            entity.layout.ownProperties.compactMap { property -> Attribute? in
                guard let column = entity.column(of: property)?.name else { return nil }
                switch SQLDerivation(property, of: entity.layout) {
                case .now: return Attribute(entity: entity, name: property.name, column: column, text: nil)
                case .text(let function, let path):
                    guard let path = SQLiteDerivedPath(path, from: entity, in: schema) else { return nil }
                    return Attribute(entity: entity, name: property.name, column: column, text: (function, path))
                default: return nil
                }
            }
        }
    }

    package var isEmpty: Bool { attributes.isEmpty }

    /// Computes the values of rows that have been written, and of those that lead to them.
    package func write(after keys: [ObjectKey], schema: SQLiteSchema, in database: Database) throws {
        guard !attributes.isEmpty, !keys.isEmpty else { return }
        var handles: [String: [Int64]] = [:]
        for key in keys {
            if let table = schema.entities[Int(key.entityIndex)]?.table {
                handles[table, default: []].append(key.handle)
            }
        }
        for attribute in attributes {
            let layout = attribute.entity.layout
            let own = keys.filter { (layout.index...layout.lastDescendantIndex).contains(Int($0.entityIndex)) }
            try write(attribute, where: SQLiteName.key.rawValue, own.map(\.handle), in: database)
            guard let path = attribute.text?.path else { continue }
            for step in path.tables.indices.dropFirst() {
                try write(attribute, where: path, step, handles[path.tables[step]] ?? [], in: database)
            }
        }
    }

    /// Computes the texts of all rows, as after a migration.
    ///
    /// - Parameter isCurrent: whether the values of an entity's attribute are right as they are.
    func writeTexts(
        schema: SQLiteSchema, in database: Database, except isCurrent: (SQLiteEntity, String) -> Bool
    ) throws {
        for attribute in attributes where attribute.text != nil && !isCurrent(attribute.entity, attribute.name) {
            let layout = attribute.entity.layout
            let numbers = (layout.index...layout.lastDescendantIndex).compactMap { schema.entities[$0]?.number }
            try database.run(
                """
                UPDATE \(.name(attribute.entity.table)) SET \(.name(attribute.column)) = \(value(attribute)) \
                WHERE \(.entity) IN (\(.numbers(numbers)))
                """)
        }
    }

    private func write(_ attribute: Attribute, where column: String, _ handles: [Int64], in database: Database) throws {
        try write(attribute, condition: "\(.name(column)) IN (SELECT value FROM json_each(?))", handles, in: database)
    }

    private func write(
        _ attribute: Attribute, where path: SQLiteDerivedPath, _ step: Int, _ handles: [Int64], in database: Database
    ) throws {
        let condition = path.leads(to: "IN (SELECT value FROM json_each(?))", at: step)
        try write(attribute, condition: condition, handles, in: database)
    }

    private func write(_ attribute: Attribute, condition: SQLFragment, _ handles: [Int64], in database: Database) throws
    {
        guard !handles.isEmpty else { return }
        let table = SQLFragment.name(attribute.entity.table)
        let keys = SQLValueList.json(handles)
        let statement = try SQLiteStatement(
            database, "UPDATE \(table) SET \(.name(attribute.column)) = \(value(attribute)) WHERE \(condition)")
        try statement.bind(keys, 1)
        try statement.run()
        let note = try SQLiteStatement(
            database,
            """
            SELECT \(.function(SQLiteDerivationTriggers.functions[0]))(\(.literal(attribute.entity.table)), \(.entity), \(.key), \
            \(.literal(attribute.name)), 0) FROM \(table) WHERE \(condition)
            """)
        try note.bind(keys, 1)
        while try note.next() {}
    }

    private func value(_ attribute: Attribute) -> SQLFragment {
        guard let (function, path) = attribute.text else { return .literal(Date().timeIntervalSinceReferenceDate) }
        let source =
            path.keys.first.map {
                path.value(from: 1, key: "\(.name(attribute.entity.table)).\(.name($0))")
            } ?? .name(path.column)
        let form = String(SQLArgumentForm.string.rawValue)
        let number = BuiltInFunction.allCases.firstIndex(of: function)!
        return "\(.function(SQLNumberFunction.call.rawValue))(\(.number(number)), \(.literal(form)), \(source))"
    }
}
