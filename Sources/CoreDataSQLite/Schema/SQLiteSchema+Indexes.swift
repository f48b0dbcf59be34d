@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import ManagedObjectModel

/// The indexes that Apple's framework creates, with its names, and the R-trees.
extension SQLiteSchema {
    /// The statements for one table: key columns, join tables, `Z_ENT`, then the model's own indexes and constraints,
    /// entity by entity. This order is that of the fixtures that were never migrated.
    func indexStatements(for table: SQLiteTable) throws -> [SQLFragment] {
        var statements = table.indexedKeyColumns.map { column -> SQLFragment in
            let name = SQLFragment.declared("\(table.name)_\(column)_INDEX")
            return "CREATE INDEX \(name) ON \(.declared(table.name)) (\(.declared(column)))"
        }
        statements += joinTables(of: table).map(\.indexStatement)
        let members = members(of: table)
        if members.count > 1 {
            let name = SQLFragment.declared("\(table.name)_\(SQLiteName.entity.rawValue)_INDEX")
            statements.append("CREATE INDEX \(name) ON \(.declared(table.name)) (\(.entity))")
        }
        for member in members {
            statements += try FetchIndex.all(of: member.layout.entity).compactMap {
                try statement(for: $0, of: member)
            }
            statements += try SQLiteUniqueIndex.all(of: member, in: self).map(\.createStatement)
        }
        return statements
    }

    private func statement(for index: FetchIndex, of entity: SQLiteEntity) throws -> SQLFragment? {
        guard !index.isRTree else { return nil }
        // A to-one has an index of its own and a to-many has no column, so Apple leaves these out.
        if index.elements.count == 1, let name = index.elements.first?.propertyName,
            entity.layout.property(named: name)?.kind.isRelationship ?? false
        {
            return nil
        }
        let columns = index.elements.compactMap { element -> SQLFragment? in
            guard let column = column(named: element.propertyName, of: entity).map(SQLFragment.declared) else {
                return nil
            }
            return element.isAscending ? "\(column) COLLATE BINARY ASC" : "\(column) COLLATE BINARY DESC"
        }
        guard !columns.isEmpty else { return nil }
        let name = SQLFragment.declared("Z_\(entity.name)_\(index.name)")
        var statement: SQLFragment =
            "CREATE INDEX \(name) ON \(.declared(entity.table)) (\(columns.joined(separator: ", ")))"
        if let predicate = index.partialIndexPredicate {
            statement += " WHERE \(try SQLitePartialIndex(entity: entity, index: index.name).condition(predicate))"
        }
        return statement
    }

    /// The R-trees that the model asks for over an entity's own properties.
    func rTrees(of entity: SQLiteEntity) throws -> [SQLiteRTree] {
        try FetchIndex.all(of: entity.layout.entity).filter(\.isRTree).map { index in
            let columns = try index.elements.map { element in
                guard let column = column(named: element.propertyName, of: entity) else {
                    throw SQLiteStoreError.schema(
                        "the index \(index.name) of \(entity.name) is on \(element.propertyName), which has no column")
                }
                return column
            }
            return SQLiteRTree(index: index.name, entity: entity, columns: columns)
        }
    }
}
