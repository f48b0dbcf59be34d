@_spi(Engine) import CoreDataRows
import CoreDataSQL
import CoreDataSQLite
import Foundation
import FoundationCompat
import GRDB
import ManagedObjectModel

import class FoundationCompat.NSPredicate

@testable import CoreData

/// A library with every kind of attribute and relationship, as a model, as tables and as objects in memory.
final class SQLiteQueryLibrary: @unchecked Sendable {
    let model: ModelLayout
    let schema: SQLiteSchema
    let queries: SQLiteQueries
    let database: DatabaseQueue
    private(set) var objects: [SQLiteQueryObject] = []
    private let ownedModel: NSManagedObjectModel

    init(storeURL: URL = URL(fileURLWithPath: "/nowhere/Library.sqlite")) throws {
        ownedModel = Self.makeModel()
        model = ModelLayout.of(ownedModel)
        schema = try SQLiteSchema(model: model, configuration: nil)
        queries = SQLiteQueries(schema: schema, storeURL: storeURL, coder: .testing)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { try SQLiteQueryFunctions.register(in: $0) }
        database = try DatabaseQueue(configuration: configuration)
        let statements = try schema.creationStatements(historyTracking: false)
        try database.write { db in
            for statement in statements { try db.run(statement) }
        }
    }

    func entity(_ name: String) -> EntityLayout { model.entity(named: name)! }

    func fetch(_ entity: String, _ format: String? = nil, _ arguments: Any?...) -> StoreFetch {
        var fetch = try! StoreFetch(NSFetchRequest<NSManagedObject>(entityName: entity), in: model)
        fetch.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments.map { $0 ?? NSNull() }) }
        return fetch
    }

    /// An object of memory whose row will have the next key below its root.
    @discardableResult
    func insert(_ entity: String, _ values: [String: Any] = [:]) -> SQLiteQueryObject {
        let layout = self.entity(entity)
        let used = objects.filter { $0.layout.root === layout.root }.map(\.key.handle).max() ?? 0
        let object = SQLiteQueryObject(layout, key: ObjectKey(handle: used + 1, entityIndex: layout.index), values)
        objects.append(object)
        return object
    }

    func objects(of entity: String) -> [SQLiteQueryObject] {
        objects.filter { $0.layout.isKind(of: self.entity(entity)) }
    }

    /// Writes all objects' rows.
    func save() throws {
        try database.write { db in
            for object in objects { try object.write(to: db, schema: schema) }
        }
    }

    /// The keys that a fetch answers.
    func keys(_ fetch: StoreFetch) throws -> [Int64] {
        try database.read { try queries.fetchKeys(fetch, in: $0) }.map(\.handle)
    }

    /// The SQL of a fetch of keys, with the bindings behind it.
    func sql(_ fetch: StoreFetch) throws -> String {
        let statement = try queries.builder.keys(fetch)
        guard !statement.bindings.isEmpty else { return statement.sql }
        return "\(statement.sql) -- \(statement.bindings.map(\.description).joined(separator: ", "))"
    }

    // MARK: The model

    static func makeModel() -> NSManagedObjectModel { BooksModel.make() }
}

extension SQLObjectGraph {
    /// Objects in memory stand for themselves; nothing is transformable.
    static let testing = SQLObjectGraph(
        identity: { value in
            switch value {
            case let object as SQLiteQueryObject: return object.isSaved ? .key(object.key) : .absent
            case let key as ObjectKey: return .key(key)
            default: return nil
            }
        },
        objectID: { $0 }, archive: { _, _ in nil }, unarchive: { data, _ in data })
}

extension StoreFetch {
    /// A fetch of all objects of an entity.
    static func testing(_ entity: EntityLayout) -> StoreFetch {
        try! StoreFetch(NSFetchRequest<NSFetchRequestResult>(entityName: entity.name), in: entity.model)
    }
}
