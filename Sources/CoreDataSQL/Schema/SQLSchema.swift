@_spi(Engine) import CoreDataRows
import FoundationCompat

@_exported import class FoundationCompat.NSPredicate

/// How a store's tables and columns are called: all that has to be known of a store to say a request in SQL.
package protocol SQLSchema: AnyObject, Sendable {
    var model: ModelLayout { get }
    /// The column of every entity's table with the keys of its rows.
    var keyColumn: String { get }
    /// The column of every entity's table with the number of a row's concrete entity.
    var entityColumn: String { get }
    /// How the database spells what is said to it.
    var dialect: SQLDialect { get }

    /// The table with the rows of an entity, which may hold those of its relatives too.
    ///
    /// - Throws: an error that names the entity, where the store doesn't hold it.
    func table(of entity: EntityLayout) throws -> String
    /// The number of an entity in rows; nil where the store doesn't hold it.
    func number(ofEntityAt index: Int) -> Int64?
    /// The column of an attribute, or the one with the keys of a to-one relationship; nil where no column holds the property.
    func column(of property: PropertyLayout) throws -> String?
    /// Where a to-many relationship is kept; nil where it isn't.
    func toMany(_ relationship: PropertyLayout) throws -> SQLToMany?
    /// What an index of the store's own kind can say of the rows that a predicate selects: all of them meet it.
    func restriction(by predicate: NSPredicate, _ translator: SQLTranslator) throws -> SQLCondition
}

/// What has to be known of a store's tables in addition where rows are changed by SQL that is the same for every database.
package protocol SQLVersionedSchema: SQLSchema {
    /// The column of every entity's table that counts how often a row was changed.
    var versionColumn: String { get }
    /// The column with the number of a to-one's concrete destination entity; nil where that can be one only.
    func entityColumn(of property: PropertyLayout) throws -> String?
    /// The place of an entity in the model, by its number in rows; nil where the model has none of that number.
    func entityIndex(forNumber number: Int64) -> Int32?
}

extension SQLSchema {
    package var dialect: SQLDialect { .sqlite }

    /// The number of an entity in rows.
    ///
    /// - Throws: an error that names the entity, where the store doesn't hold it.
    package func number(of entity: EntityLayout) throws -> Int64 {
        if let number = number(ofEntityAt: entity.index) { return number }
        throw SQLQueryError.make("the store doesn't hold the entity \(entity.name)")
    }
}
