@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// The columns of a `SELECT` that brings in rows of an entity and of those below it, and how each concrete entity's rows are
/// decoded from them. Compiled once an entity.
final class PostgreSQLSelection: Sendable {
    /// How one column of a result goes into one slot of a row.
    struct Step: Sendable {
        enum Form: UInt8, Sendable {
            case boolean, int2, int4, int8, float4, float8, bytes, uuid, numeric, reference

            init(_ column: PostgreSQLColumn) {
                if column.property.kind == .toOne {
                    self = .reference
                    return
                }
                switch column.type {
                case .boolean: self = .boolean
                case .int2: self = .int2
                case .int4: self = .int4
                case .int8: self = .int8
                case .float4: self = .float4
                case .float8: self = .float8
                case .text, .bytes: self = .bytes
                case .uuid: self = .uuid
                case .numeric: self = .numeric
                case .int8Array, .textArray: preconditionFailure("no column holds an array")
                }
            }
        }

        let form: Form
        let column: Int32
        let slot: Int
        /// For a to-one: the column with the number of the destination's entity, or -1 where only one is possible.
        let entityColumn: Int32
        /// For a to-one: the destination's place, and that of its last descendant.
        let destination: ClosedRange<Int32>?
    }

    struct Column: Sendable {
        let name: String
        let type: PostgreSQLType
    }

    let entity: PostgreSQLEntity
    let slotCount: Int
    /// All columns in order, the row's own before those of properties.
    let columns: [Column]
    /// Brings in the rows with keys, which are its first parameter.
    let byKey: SQLFragment
    /// The result columns under the alias that nearly all statements have for the table.
    private let list: SQLFragment
    private let stepsByEntity: [[Step]]
    private let firstIndex: Int

    private static let alias = "t0"

    static let fixed = [
        Column(name: PostgreSQLName.key, type: .int8), Column(name: PostgreSQLName.entity, type: .int2),
        Column(name: PostgreSQLName.version, type: .int8),
    ]

    init(_ entity: PostgreSQLEntity, includesSubentities: Bool, in schema: PostgreSQLSchema) {
        self.entity = entity
        let layout = entity.layout
        firstIndex = layout.index
        let last = includesSubentities ? layout.lastDescendantIndex : layout.index
        slotCount = schema.model.entities[layout.index...last].map(\.rowSlotCount).max() ?? 0
        var columns = Self.fixed
        var places: [String: Int32] = [:]
        func place(_ name: String, _ type: PostgreSQLType) -> Int32 {
            if let known = places[name] { return known }
            let place = Int32(columns.count)
            columns.append(Column(name: name, type: type))
            places[name] = place
            return place
        }
        stepsByEntity = schema.entities[layout.index...last].map { member in
            (member?.ordered ?? []).map { column in
                Step(
                    form: Step.Form(column), column: place(column.name, column.type), slot: column.slot,
                    entityColumn: column.entityColumn.map { place($0, .int2) } ?? -1,
                    destination: column.property.destination.map {
                        Int32($0.index)...Int32($0.lastDescendantIndex)
                    })
            }
        }
        self.columns = columns
        list = Self.list(columns, of: Self.alias)
        var condition: SQLFragment = "\"_id\" = ANY($1)"
        if layout.superlayout != nil {
            let numbers = schema.entities[layout.index...last].compactMap { $0.map { Int64($0.number) } }
            condition += " AND \"_entity\" IN (\(.numbers(numbers)))"
        }
        byKey = "SELECT \(list) FROM \(schema.qualified(entity.table)) t0 WHERE \(condition)"
    }

    func steps(forEntityIndex index: Int32) -> [Step] { stepsByEntity[Int(index) - firstIndex] }

    /// The result columns, for the entity's table under an alias.
    func list(alias: String) -> SQLFragment {
        alias == Self.alias ? list : Self.list(columns, of: alias)
    }

    private static func list(_ columns: [Column], of alias: String) -> SQLFragment {
        let dialect = SQLDialect.postgreSQL(schema: "")
        return columns.map { dialect.column($0.name, of: alias) }.joined(separator: ", ")
    }
}
