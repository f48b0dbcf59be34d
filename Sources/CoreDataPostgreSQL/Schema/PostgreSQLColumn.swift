@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// One column of a table, with the property whose values it holds.
struct PostgreSQLColumn: Sendable {
    let name: String
    let type: PostgreSQLType
    /// The property, as the entity that declares it has it.
    let property: PropertyLayout
    /// For a to-one: the column with the number of the destination's concrete entity, where there are several.
    let entityColumn: String?

    var slot: Int { property.rowSlot }
    /// Whether the store computes the values, and saves don't write them.
    var isDerived: Bool { property.attribute is NSDerivedAttributeDescription }

    /// What is wrong with a property that no column can hold; nil where one can, or where nothing is kept.
    static func problem(with property: PropertyLayout) -> String? {
        guard let derived = property.attribute as? NSDerivedAttributeDescription, property.isPersistent,
            SQLDerivation(property, of: property.owner) == nil
        else { return nil }
        return "it can't be derived, "
            + (derived.derivationExpression.map { "as \($0) isn't one of the derivations" } ?? "as it has no expression")
    }

    /// The type of an attribute's column; nil for what has none.
    static func type(of kind: PropertyKind) -> PostgreSQLType? {
        switch kind {
        case .int16: .int2
        case .int32: .int4
        case .int64: .int8
        case .bool: .boolean
        // Apple's dates are seconds as a double: `timestamptz` counts microseconds and would lose the rest.
        case .double, .date: .float8
        case .float: .float4
        case .decimal: .numeric
        case .string, .uri: .text
        case .uuid: .uuid
        case .data, .transformable: .bytes
        case .toOne: .int8
        case .composite, .objectID, .undefined, .toMany, .fetched: nil
        }
    }
}

/// The table of an entity and of all entities below it.
struct PostgreSQLTable: Sendable {
    let name: String
    /// The place of the entity at the top.
    let rootIndex: Int
    /// In the order in which the entities declare them.
    var columns: [PostgreSQLColumn] = []
    /// The columns of one-way to-many relationships that lead here, and those that hold orders.
    var linkColumns: [LinkColumn] = []

    struct LinkColumn: Sendable {
        let name: String
        let isKey: Bool
    }
}

/// A uniqueness constraint that the rows of an entity have to keep.
struct PostgreSQLConstraint: Sendable {
    let name: String
    let table: String
    let properties: [String]
    let slots: [Int]
    let columns: [String]
}

/// How an entity lies in its table.
final class PostgreSQLEntity: Sendable {
    let layout: EntityLayout
    let table: String
    let number: Int16
    /// By row slot.
    let columns: [Int: PostgreSQLColumn]
    /// By the index of the property.
    let toManys: [Int: SQLToMany]
    let constraints: [PostgreSQLConstraint]
    /// The columns in the order of their slots.
    let ordered: [PostgreSQLColumn]

    init(
        _ layout: EntityLayout, table: String, number: Int16, columns: [Int: PostgreSQLColumn],
        toManys: [Int: SQLToMany], constraints: [PostgreSQLConstraint]
    ) {
        self.layout = layout
        self.table = table
        self.number = number
        self.columns = columns
        self.toManys = toManys
        self.constraints = constraints
        ordered = columns.values.sorted { $0.slot < $1.slot }
    }
}

/// How rows of one entity are inserted. The texts are made once a store, as every save needs them.
struct PostgreSQLInsertion: Sendable {
    /// The table with its columns: the row's own first, then those of the entity in their order.
    let target: SQLFragment
    /// Inserts one row, whose values are the parameters.
    let statement: SQLFragment

    init(_ entity: PostgreSQLEntity, _ dialect: SQLDialect) {
        let names =
            [PostgreSQLName.key, PostgreSQLName.entity, PostgreSQLName.version]
            + entity.ordered.flatMap { [$0.name, $0.entityColumn].compactMap { $0 } }
        target = "\(dialect.table(entity.table)) (\(.quoted(names)))"
        statement = "INSERT INTO \(target) VALUES (\(.marks(names.count)))"
    }
}
