@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import ManagedObjectModel

/// How one model lies in a schema of a database: tables, columns, relationships. A function of the model, and, for a store that
/// exists, of the numbers that it has for its entities.
final class PostgreSQLSchema: Sendable {
    let model: ModelLayout
    /// The schema of the database that all of it is in.
    let namespace: String
    /// By place in ``ModelLayout/entities``; nil for entities outside the store's configuration.
    let entities: [PostgreSQLEntity?]
    let tables: [PostgreSQLTable]
    let joins: [SQLJoin]
    /// The attributes that the store computes.
    let derived: [PostgreSQLDerivedAttribute]
    /// The tables that a join's columns lead to, in the order source and destination, by its table.
    let joinEnds: [String: (source: String, destination: String)]
    private let indexByNumber: [Int16: Int32]
    /// By place in ``ModelLayout/entities``.
    private let insertions: [PostgreSQLInsertion?]

    init(_ builder: PostgreSQLSchemaBuilder, namespace: String) {
        self.namespace = namespace
        model = builder.model
        let entities = builder.finished()
        self.entities = entities
        derived = entities.compactMap { $0 }.flatMap { entity in
            entity.layout.ownProperties.compactMap {
                PostgreSQLDerivedAttribute($0, of: entity, entities, .postgreSQL(schema: namespace))
            }
        }
        insertions = entities.map { entity in
            entity.map { PostgreSQLInsertion($0, .postgreSQL(schema: namespace)) }
        }
        tables = builder.tables
        joins = builder.joins
        joinEnds = builder.joinEnds
        indexByNumber = Dictionary(
            uniqueKeysWithValues: entities.compactMap { $0 }.map { ($0.number, Int32($0.layout.index)) })
    }

    /// - Throws: an error that names the entity, where the store doesn't hold it.
    func entity(_ layout: EntityLayout) throws -> PostgreSQLEntity {
        if let entity = entities[layout.index] { return entity }
        throw SQLQueryError.make("the store doesn't hold the entity \(layout.name)")
    }

    func entity(at index: Int32) throws -> PostgreSQLEntity { try entity(model.entities[Int(index)]) }

    /// How rows of an entity are inserted.
    func insertion(into entity: PostgreSQLEntity) -> PostgreSQLInsertion { insertions[entity.layout.index]! }

    /// The place of the entity with that number; nil where there is none.
    func entityIndex(forNumber number: Int16) -> Int32? { indexByNumber[number] }

    /// A table of the store as it stands in a statement.
    func qualified(_ table: String) -> SQLFragment { dialect.table(table) }

    /// The stored entities of a hierarchy, from the one at the top.
    func members(ofRootAt index: Int) -> [PostgreSQLEntity] {
        let root = model.entities[index]
        return entities[root.index...root.lastDescendantIndex].compactMap { $0 }
    }
}

extension PostgreSQLSchema: SQLVersionedSchema {
    var keyColumn: String { PostgreSQLName.key }
    var entityColumn: String { PostgreSQLName.entity }
    var versionColumn: String { PostgreSQLName.version }
    var dialect: SQLDialect { .postgreSQL(schema: namespace) }

    func table(of entity: EntityLayout) throws -> String { try self.entity(entity).table }
    func number(ofEntityAt index: Int) -> Int64? { entities[index].map { Int64($0.number) } }

    func column(of property: PropertyLayout) throws -> String? {
        guard property.rowSlot >= 0 else { return nil }
        return try entity(property.owner).columns[property.rowSlot]?.name
    }

    func entityColumn(of property: PropertyLayout) throws -> String? {
        guard property.rowSlot >= 0 else { return nil }
        return try entity(property.owner).columns[property.rowSlot]?.entityColumn
    }

    func entityIndex(forNumber number: Int64) -> Int32? { Int16(exactly: number).flatMap(entityIndex(forNumber:)) }

    func toMany(_ relationship: PropertyLayout) throws -> SQLToMany? {
        guard case .join(var join)? = try entity(relationship.owner).toManys[relationship.index] else {
            return try entity(relationship.owner).toManys[relationship.index]
        }
        // Both directions of a pair are in the table, so a reader looks from one side only.
        join.isReflexive = false
        return .join(join)
    }

    func restriction(by predicate: NSPredicate, _ translator: SQLTranslator) throws -> SQLCondition { .always }
}
