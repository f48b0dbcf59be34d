@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// How values are bound to the columns of a row that is written.
extension SQLiteRowWriter {
    mutating func bind(
        _ value: FieldValue, _ place: SQLiteRowPlan.Place, _ number: Int, of plan: SQLiteRowPlan,
        to statement: SQLiteStatement, at index: inout Int32
    ) throws {
        defer { index += place.hasEntityColumn ? 2 : 1 }
        switch value {
        case .null:
            statement.bindNull(index)
            if place.hasEntityColumn { statement.bindNull(index + 1) }
        case .int(let integer): statement.bind(integer, index)
        case .double(let double): statement.bind(double, index)
        case .string(let text): try statement.bind(text, index)
        case .data(let data): try statement.bind(place.isExternal ? stored(data) : data, index)
        case .uuid(let uuid): try statement.bind(uuid, index)
        case .decimal(let decimal): try bind(decimal, plan.bindings[number].property, to: statement, at: index)
        case .reference(let key):
            statement.bind(key.handle, index)
            if place.hasEntityColumn {
                statement.bind(schema.number(forEntityIndex: Int(key.entityIndex)), index + 1)
            }
        case .destination(let object): throw unstorable(object, plan.bindings[number].property)
        case .object(let box):
            let property = plan.bindings[number].property
            if property.kind == .uri, let url = box.value as? URL {
                try statement.bind(url.absoluteString, index)
                return
            }
            let encoded = try encode(box.value, property)
            if case .object = encoded { throw unstorable(box.value, property) }
            var same = index
            try bind(encoded, place, number, of: plan, to: statement, at: &same)
        }
    }

    /// As SQLite's NUMERIC affinity keeps it: an integer where it is one, otherwise the nearest double
    /// (seen in SampleModel2: 10.11 is the double 10.11).
    private func bind(
        _ decimal: Decimal, _ property: PropertyLayout, to statement: SQLiteStatement, at index: Int32
    ) throws {
        let text = decimal.description
        if decimal.isNaN {
            // Seen in the stores of artsy/energy.
            try statement.bind(text, index)
        } else if let integer = Int64(text) {
            statement.bind(integer, index)
        } else if let double = Double(text), double.isFinite {
            statement.bind(double, index)
        } else {
            throw unstorable(decimal, property)
        }
    }

    private func unstorable(_ value: Any, _ property: PropertyLayout) -> NSError {
        SQLiteStoreError.error(
            .save, "the value of \(property.owner.name).\(property.name) can't be stored: \(type(of: value)) \(value)")
    }
}
