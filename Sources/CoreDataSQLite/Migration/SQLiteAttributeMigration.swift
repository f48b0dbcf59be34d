@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel
import CoreDataSQL

/// What the attributes of an entity get from the rows of the file.
struct SQLiteAttributeMigration {
    let map: SQLiteMigrationMap
    /// The functions that move values in and out of the form that external storage has.
    /// The column of each attribute of an entity, with what it gets.
    func columns(of entity: SQLiteEntity, from source: SQLiteEntity) throws -> [String: SQLiteColumnSource] {
        var columns: [String: SQLiteColumnSource] = [:]
        for property in entity.layout.properties where !property.kind.isRelationship && property.isPersistent {
            try add(property, was: map.source(of: property, in: entity), of: entity, source, to: &columns)
        }
        return columns
    }

    private func add(
        _ property: PropertyLayout, was former: PropertyLayout?, of entity: SQLiteEntity, _ source: SQLiteEntity,
        to columns: inout [String: SQLiteColumnSource]
    ) throws {
        for element in property.elements {
            let before = former?.element(thatBecomes: element, of: property)
            try add(element, was: before, of: entity, source, to: &columns)
        }
        guard let column = entity.column(of: property)?.name else { return }
        columns[column] = try value(of: property, was: former, source)
    }

    private func value(of property: PropertyLayout, was former: PropertyLayout?, _ source: SQLiteEntity) throws
        -> SQLiteColumnSource
    {
        let initial = try SQLiteLiteral.fragment(property.defaultValue, of: property)
        guard let former, former.isPersistent, former.holdsValues(of: property),
            let column = source.column(of: former)?.name
        else { return initial.map { SQLiteColumnSource($0, .nothing) } ?? .null }
        var value = SQLiteColumnSource(copying: column)
        switch (former.isStoredExternally, property.isStoredExternally) {
        case (false, true): value = SQLiteColumnSource("\(.function(SQLiteMigrationFunction.tag))(\(value.sql))", .row)
        case (true, false):
            value = SQLiteColumnSource("\(.function(SQLiteMigrationFunction.untag))(\(value.sql))", .row)
        default: break
        }
        if former.isOptional, !property.isOptional, let initial {
            value = SQLiteColumnSource("IFNULL(\(value.sql), \(initial))", .row)
        }
        return value
    }
}

extension PropertyLayout {
    /// Whether values are those of another property: SQLite makes one kind of number from the other, by the column's type.
    fileprivate func holdsValues(of other: PropertyLayout) -> Bool {
        if kind == other.kind { return true }
        guard let own = attribute?.attributeType, let next = other.attribute?.attributeType else { return false }
        return own.widens(to: next)
    }

    fileprivate var isStoredExternally: Bool {
        (kind == .data || kind == .transformable) && attribute?.allowsExternalBinaryDataStorage == true
    }
}

/// Default values as they stand in a statement.
enum SQLiteLiteral {
    /// - Returns: nil for no value.
    /// - Throws: `NSMigrationError` for one that a store can't keep.
    static func fragment(_ value: FieldValue, of property: PropertyLayout) throws -> SQLFragment? {
        switch value {
        case .null, .reference, .destination: return nil
        case .int(let number): return .number(number)
        case .double(let number): return number.isNaN ? nil : .literal(number)
        case .string(let text): return .literal(text)
        case .data(let data):
            let isTagged = property.attribute?.allowsExternalBinaryDataStorage ?? false
            return .literal(isTagged ? SQLiteExternalData.inline(data) : data)
        case .uuid(let uuid): return withUnsafeBytes(of: uuid.uuid) { .literal(Data($0)) }
        case .decimal(let number): return number.isNaN ? .literal("NaN") : .word("\(number)")
        case .object(let box):
            if property.kind == .uri, let url = box.value as? URL { return .literal(url.absoluteString) }
            guard let data = TransformableCoder.data(from: box.value, of: property) else {
                throw MigrationError.make(
                    "The default value of '\(property.name)' can't be turned into data by its value transformer.")
            }
            return .literal(data)
        }
    }
}
