@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import FoundationCompat
import GRDB
import ManagedObjectModel

@testable import CoreData

/// An object of the test library as predicates see it in memory: values by key, to-many as sets.
final class SQLiteQueryObject: NSObject, KeyValueCoding, PredicateComparableObject {
    let layout: EntityLayout
    let key: ObjectKey
    /// Whether a row is written for it; without, it stands for an unsaved object.
    var isSaved = true
    private(set) var values: [String: Any]

    init(_ layout: EntityLayout, key: ObjectKey, _ values: [String: Any]) {
        self.layout = layout
        self.key = key
        self.values = values
        super.init()
    }

    var predicateIdentity: AnyHashable { ObjectIdentity(root: layout.root.index, handle: key.handle) }

    private struct ObjectIdentity: Hashable {
        let root: Int
        let handle: Int64
    }

    func set(_ value: Any?, _ key: String) { values[key] = value }

    /// Sets a to-one and adds to the to-many at the other side.
    func connect(_ name: String, to destination: SQLiteQueryObject) {
        values[name] = destination
        if let inverse = layout.property(named: name)?.inverse { destination.add(self, to: inverse.name) }
    }

    /// Adds to a to-many, and to the to-many at the other side.
    func link(_ name: String, to destination: SQLiteQueryObject) {
        add(destination, to: name)
        if let inverse = layout.property(named: name)?.inverse { destination.add(self, to: inverse.name) }
    }

    private func add(_ object: SQLiteQueryObject, to name: String) {
        var members = toMany(name)
        if !members.contains(where: { $0 === object }) { members.append(object) }
        values[name] = members
    }

    func toMany(_ name: String) -> [SQLiteQueryObject] { values[name] as? [SQLiteQueryObject] ?? [] }

    // MARK: Key-value coding

    func kvcValue(forKey key: String) -> Any? {
        guard let property = layout.property(named: key) else {
            switch key {
            case "self", "SELF", "objectID": return self
            case "entity": return layout.entity
            default: fatalError("no key \(key)")
            }
        }
        guard property.kind == .toMany else { return values[key] }
        let members = toMany(key)
        return property.isOrdered ? NSOrderedSet(array: members) : Set(members)
    }

    func definesKVCValue(forKey key: String) -> Bool {
        layout.property(named: key) != nil || ["self", "SELF", "objectID", "entity"].contains(key)
    }
    func setKVCValue(_ value: Any?, forKey key: String) { values[key] = value }
    func kvcMutableSetValue(forKey key: String) -> NSMutableSet { NSMutableSet() }
    func kvcMutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { NSMutableOrderedSet() }
    func kvcMutableArrayValue(forKey key: String) -> NSMutableArray { NSMutableArray() }
    func validateKVCValue(_ value: inout Any?, forKey key: String) throws {}

    // MARK: Its row, by hand

    func write(to db: Database, schema: SQLiteSchema) throws {
        let entity = try schema.entity(layout)
        var columns: [(String, DatabaseValue)] = [
            ("Z_PK", key.handle.databaseValue), ("Z_ENT", entity.number.databaseValue), ("Z_OPT", 1.databaseValue),
        ]
        for property in layout.properties {
            if property.kind == .toMany { try writeDestinations(property, entity, db) }
            for leaf in property.elements.isEmpty ? [property] : property.elements {
                guard let column = entity.column(of: leaf) else { continue }
                let holder = property.elements.isEmpty ? values : values[property.name] as? [String: Any] ?? [:]
                columns.append((column.name, Self.databaseValue(holder[leaf.name])))
                if let destination = holder[leaf.name] as? SQLiteQueryObject, let number = entity.entityColumn(of: leaf)
                {
                    columns.append((number.name, try schema.entity(destination.layout).number.databaseValue))
                }
            }
        }
        let names = columns.map(\.0).joined(separator: ", ")
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        // One-way relationships may have made the row already.
        let updates = columns.dropFirst().map { "\($0.0) = excluded.\($0.0)" }.joined(separator: ", ")
        try db.execute(
            sql: "INSERT INTO \(entity.table) (\(names)) VALUES (\(marks)) ON CONFLICT (Z_PK) DO UPDATE SET \(updates)",
            arguments: StatementArguments(columns.map(\.1)))
    }

    private func writeDestinations(_ property: PropertyLayout, _ entity: SQLiteEntity, _ db: Database) throws {
        switch entity.toMany(property) {
        case .foreignKey(let foreignKey) where foreignKey.isOneWay:
            for member in toMany(property.name) {
                try db.execute(
                    sql: """
                        INSERT INTO \(foreignKey.table) (Z_PK, \(foreignKey.column)) VALUES (?, ?) \
                        ON CONFLICT (Z_PK) DO UPDATE SET \(foreignKey.column) = excluded.\(foreignKey.column)
                        """, arguments: [member.key.handle, key.handle])
            }
        case .join(let join):
            for (place, member) in toMany(property.name).enumerated() {
                var columns = [join.sourceColumn, join.destinationColumn]
                var values: [DatabaseValue] = [key.handle.databaseValue, member.key.handle.databaseValue]
                if join.isReflexive, key.handle > member.key.handle { values.reverse() }
                var conflict = "DO NOTHING"
                if let orderColumn = join.orderColumn {
                    columns.append(orderColumn)
                    values.append((place * 1024 + 2048).databaseValue)
                    let keys = "\(join.sourceColumn), \(join.destinationColumn)"
                    conflict = "(\(keys)) DO UPDATE SET \(orderColumn) = excluded.\(orderColumn)"
                }
                try db.execute(
                    sql: """
                        INSERT INTO \(join.table) (\(columns.joined(separator: ", "))) \
                        VALUES (\(columns.map { _ in "?" }.joined(separator: ", "))) ON CONFLICT \(conflict)
                        """, arguments: StatementArguments(values))
            }
        default: break
        }
    }

    private static func databaseValue(_ value: Any?) -> DatabaseValue {
        switch value {
        case let value as SQLiteQueryObject: return value.key.handle.databaseValue
        case let value as Decimal: return DecimalStorage.binding(for: value).databaseValue
        case let value as String: return value.databaseValue
        case let value as Date: return value.timeIntervalSinceReferenceDate.databaseValue
        case let value as UUID: return withUnsafeBytes(of: value.uuid) { Data($0) }.databaseValue
        case let value as URL: return value.absoluteString.databaseValue
        case let value as Data: return value.databaseValue
        case let value as NSNumber:
            return value.objCType.pointee == CChar(UInt8(ascii: "d"))
                || value.objCType.pointee == CChar(UInt8(ascii: "f"))
                ? value.doubleValue.databaseValue : value.int64Value.databaseValue
        default: return .null
        }
    }
}
