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
        configuration.prepareDatabase { SQLiteQueryFunctions.register(in: $0) }
        database = try DatabaseQueue(configuration: configuration)
        let statements = try schema.creationStatements(historyTracking: false)
        try database.write { db in
            for statement in statements { try db.execute(sql: statement) }
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

    static func makeModel() -> NSManagedObjectModel {
        let author = entity("Author")
        let book = entity("Book")
        let audioBook = entity("AudioBook")
        let genre = entity("Genre")
        let shop = entity("Shop")
        book.subentities = [audioBook]
        let (authorBooks, bookAuthor) = pair("books", many: true, from: author, "author", many: false, from: book)
        let (bookGenres, genreBooks) = pair("genres", many: true, from: book, "books", many: true, from: genre)
        let (bookSequel, bookPrequels) = pair("sequel", many: false, from: book, "prequels", many: true, from: book)
        let stock = relationship("stock", many: true, to: book)
        let friends = relationship("friends", many: true, to: author)
        friends.inverseRelationship = friends
        genreBooks.isOrdered = true
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [attribute("city", .stringAttributeType), attribute("street", .stringAttributeType)]
        let draft = attribute("draft", .stringAttributeType)
        draft.isTransient = true
        author.properties = [
            attribute("name", .stringAttributeType), attribute("born", .dateAttributeType),
            attribute("website", .URIAttributeType), address, authorBooks, friends,
        ]
        book.properties = [
            attribute("title", .stringAttributeType), attribute("subtitle", .stringAttributeType),
            attribute("pages", .integer32AttributeType), attribute("copies", .integer16AttributeType),
            attribute("big", .integer64AttributeType), attribute("price", .decimalAttributeType),
            attribute("rating", .floatAttributeType), attribute("score", .doubleAttributeType),
            attribute("inPrint", .booleanAttributeType), attribute("published", .dateAttributeType),
            attribute("identifier", .UUIDAttributeType), attribute("cover", .binaryDataAttributeType),
            draft, bookAuthor, bookGenres, bookSequel, bookPrequels,
        ]
        audioBook.properties = [
            attribute("narrator", .stringAttributeType), attribute("duration", .doubleAttributeType),
        ]
        genre.properties = [
            attribute("name", .stringAttributeType), attribute("shelf", .integer16AttributeType), genreBooks,
        ]
        shop.properties = [attribute("name", .stringAttributeType), stock]
        let model = NSManagedObjectModel()
        model.entities = [author, book, audioBook, genre, shop]
        return model
    }

    static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    static func relationship(
        _ name: String, many: Bool, to destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.maxCount = many ? 0 : 1
        relationship.isOptional = true
        relationship.destinationEntity = destination
        return relationship
    }

    static func pair(
        _ name: String, many: Bool, from source: NSEntityDescription,
        _ inverseName: String, many inverseMany: Bool, from destination: NSEntityDescription
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let forward = relationship(name, many: many, to: destination)
        let backward = relationship(inverseName, many: inverseMany, to: source)
        forward.inverseRelationship = backward
        backward.inverseRelationship = forward
        return (forward, backward)
    }
}

extension SQLValueCoder {
    /// Objects in memory stand for themselves; nothing is transformable.
    static let testing = SQLValueCoder(
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
