@_spi(Engine) import CoreDataRows
import CoreDataSQL
import FoundationCompat

@_exported import class FoundationCompat.NSPredicate

extension SQLiteSchema: SQLVersionedSchema {
    package var keyColumn: String { SQLiteName.key.rawValue }
    package var entityColumn: String { SQLiteName.entity.rawValue }
    package var versionColumn: String { SQLiteName.version.rawValue }

    package func table(of entity: EntityLayout) throws -> String { try self.entity(entity).table }

    package func number(ofEntityAt index: Int) -> Int64? { entities[index]?.number }

    package func column(of property: PropertyLayout) throws -> String? {
        try entity(property.owner).column(of: property)?.name
    }

    package func entityColumn(of property: PropertyLayout) throws -> String? {
        try entity(property.owner).entityColumn(of: property)?.name
    }

    package func toMany(_ relationship: PropertyLayout) throws -> SQLToMany? {
        try entity(relationship.owner).toMany(relationship)
    }

    package func restriction(by predicate: NSPredicate, _ translator: SQLTranslator) throws -> SQLCondition {
        try SQLRTreeRestriction.condition(predicate, translator, self)
    }
}
