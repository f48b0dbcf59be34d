import Foundation
import GRDB

/// The files with external values that the rows of a store name.
enum SQLiteExternalFiles {
    static func names(in schema: SQLiteSchema, _ database: Database, store: URL) throws -> Set<String> {
        guard let folder = SQLiteExternalData(store: store).folder,
            FileManager.default.fileExists(atPath: folder.path)
        else { return [] }
        var names: Set<String> = []
        for place in places(in: schema) {
            let column = place.column
            let sql =
                "SELECT \(column) FROM \(place.table) WHERE length(\(column)) = 38 AND substr(\(column), 1, 1) = X'02'"
            let values = try Data.fetchCursor(database, sql: sql)
            while let value = try values.next() { names.insert(String(decoding: value[1..<37], as: UTF8.self)) }
        }
        return names
    }

    private struct Place: Hashable {
        var table: String
        var column: String
    }

    private static func places(in schema: SQLiteSchema) -> Set<Place> {
        var places: Set<Place> = []
        for case let entity? in schema.entities {
            for property in entity.layout.properties
            where property.attribute?.allowsExternalBinaryDataStorage ?? false {
                if let column = entity.column(of: property)?.name {
                    places.insert(Place(table: entity.table, column: column))
                }
            }
        }
        return places
    }

    /// Removes files that no row names any more. What can't be removed is only lost space.
    static func remove(_ names: Set<String>, store: URL) {
        guard let folder = SQLiteExternalData(store: store).folder else { return }
        for name in names where UUID(uuidString: name)?.uuidString == name {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }
}
