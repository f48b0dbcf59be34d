@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// Which entities, properties and relationships of a file become which of a new schema.
typealias SQLiteMigrationMap = SQLMigrationMap<SQLiteSchema>

extension SQLiteSchema: SQLMigratedSchema {
    package func orderColumn(beside toOne: PropertyLayout, of entity: SQLiteEntity) -> String? {
        guard let inverse = toOne.inverse, inverse.kind == .toMany, inverse.isOrdered,
            let column = entity.keyColumn(ofToOne: toOne)
        else { return nil }
        return SQLiteNaming.orderColumn(beside: column)
    }
}

extension SQLiteEntity: SQLMigratedEntity {
    package func keyColumn(ofToOne property: PropertyLayout) -> String? { column(of: property)?.name }

    package func entityColumn(ofToOne property: PropertyLayout) -> String? { entityColumn(of: property)?.name }
}

extension SQLiteMigrationMap {
    /// The columns in which rows of an entity of the file may have values.
    func usedColumns(of entity: SQLiteEntity) -> Set<String> {
        var names = Set(entity.columns.compactMap { $0?.name })
        for property in entity.layout.properties where property.kind == .toOne {
            if let column = entity.column(of: property)?.name { names.insert(SQLiteNaming.orderColumn(beside: column)) }
        }
        for case let owner? in old.entities {
            for property in owner.layout.ownProperties {
                guard case .foreignKey(let key)? = owner.toMany(property), key.isOneWay,
                    let destination = property.destination, entity.layout.isKind(of: destination)
                else { continue }
                names.insert(key.column)
                if let order = key.orderColumn { names.insert(order) }
            }
        }
        return names
    }
}
