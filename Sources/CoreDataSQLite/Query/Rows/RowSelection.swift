@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// The columns of a `SELECT` that brings in rows of an entity and of those below it, and how each concrete entity's
/// rows are decoded from them.
///
/// Compiled once an entity. Columns come by name, since a migration leaves them in any order (seen in the fixtures).
package final class RowSelection: Sendable {
    package let entity: SQLiteEntity
    package let slotCount: Int
    /// The columns behind `Z_PK`, `Z_ENT` and `Z_OPT`.
    package let columns: [String]
    /// The steps for each concrete entity, by its place behind ``firstIndex``.
    private let stepsByEntity: [[RowDecodeStep]]
    package let firstIndex: Int32
    /// ``list(alias:)`` under the alias that a statement's first table has, as nearly all want it.
    private let usualList: SQLFragment

    static let fixedColumns = SQLiteName.rowColumns
    private static let usualAlias = "t0"

    /// - Parameter properties: the names of the properties to bring in, or nil for all of them.
    package init(
        _ entity: SQLiteEntity, includesSubentities: Bool, properties: Set<String>? = nil, in schema: SQLiteSchema
    )
        throws
    {
        self.entity = entity
        firstIndex = Int32(entity.layout.index)
        let last = includesSubentities ? entity.layout.lastDescendantIndex : entity.layout.index
        let layouts = schema.model.entities[entity.layout.index...last]
        slotCount = layouts.map(\.rowSlotCount).max() ?? 0
        var collector = Collector()
        stepsByEntity = try layouts.map { layout in
            let concrete = try schema.entity(layout)
            return layout.properties.flatMap { property in
                properties.map { $0.contains(property.name) } ?? true ? collector.steps(property, in: concrete) : []
            }
        }
        columns = collector.columns
        usualList = Self.list(columns, alias: Self.usualAlias)
    }

    /// The steps for a concrete entity, which is the selection's or, where it includes them, below it.
    package func steps(forEntityIndex index: Int32) -> [RowDecodeStep] {
        stepsByEntity[Int(index - firstIndex)]
    }

    /// The result columns, for the entity's table under an alias.
    package func list(alias: String) -> SQLFragment {
        alias == Self.usualAlias ? usualList : Self.list(columns, alias: alias)
    }

    private static func list(_ columns: [String], alias: String) -> SQLFragment {
        (fixedColumns + columns).map { SQLFragment.column($0, of: alias) }.joined(separator: ", ")
    }

    private struct Collector {
        private(set) var columns: [String] = []
        private var places: [String: Int32] = [:]

        mutating func steps(_ property: PropertyLayout, in entity: SQLiteEntity) -> [RowDecodeStep] {
            if property.kind == .composite { return property.elements.flatMap { steps($0, in: entity) } }
            guard let column = entity.column(of: property) else { return [] }
            let entityColumn = entity.entityColumn(of: property).map { index(of: $0.name) }
            let step = RowDecodeStep(property, column: index(of: column.name), entityColumn: entityColumn)
            return step.map { [$0] } ?? []
        }

        private mutating func index(of column: String) -> Int32 {
            if let known = places[column] { return known }
            let place = Int32(RowSelection.fixedColumns.count + columns.count)
            columns.append(column)
            places[column] = place
            return place
        }
    }
}
