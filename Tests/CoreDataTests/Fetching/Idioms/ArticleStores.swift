import CoreData
import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

/// The same five articles, three authors and three tags in a store of each of the four types.
final class ArticleStores {
    private(set) var contexts: [(type: String, context: NSManagedObjectContext)] = []
    private let folder: TemporaryFolder

    static let firstDay = Date(timeIntervalSinceReferenceDate: 700_000_000)
    static let types = [NSSQLiteStoreType, NSInMemoryStoreType, NSXMLStoreType, NSBinaryStoreType]

    init(_ types: [String] = ArticleStores.types) throws {
        folder = try TemporaryFolder()
        for type in types {
            let context = try makeContext(model: Self.makeModel())
            try add(type, to: context)
            try context.performAndWait {
                try Self.fill(context)
                context.reset()
            }
            contexts.append((type, context))
        }
    }

    func makeContext(model: NSManagedObjectModel) throws -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        return context
    }

    @discardableResult
    func add(_ type: String, to context: NSManagedObjectContext) throws -> NSPersistentStore? {
        let url = folder.url.appendingPathComponent("\(UUID().uuidString).store")
        return try context.persistentStoreCoordinator?.addPersistentStore(
            ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url)
    }

    // MARK: Asking

    /// The initials of the articles, authors or tags that a predicate selects, in alphabetical order, by store type.
    func initials(_ predicate: NSPredicate, of entity: String = "Article") throws -> [String: String] {
        try answers { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = predicate
            let key = ["Author": "name", "Tag": "label"][entity] ?? "title"
            let found = try context.fetch(request).compactMap { ($0.value(forKey: key) as? String)?.lowercased().first }
            let count = try context.count(for: request)
            return String(found.sorted()) + (count == found.count ? "" : ", but a count of \(count)")
        }
    }

    /// The dictionaries of a request, each as "a:b", by store type.
    func dictionaries(
        _ keys: [String], _ configure: (NSFetchRequest<NSDictionary>) -> Void
    ) throws -> [String: [String]] {
        try answers { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Article")
            request.resultType = .dictionaryResultType
            configure(request)
            return try context.fetch(request).map { row in keys.map { "\(row[$0] ?? "nil")" }.joined(separator: ":") }
        }
    }

    func answers<Answer>(_ ask: (NSManagedObjectContext) throws -> Answer) throws -> [String: Answer] {
        var answers: [String: Answer] = [:]
        for (type, context) in contexts { answers[type] = try context.performAndWait { try ask(context) } }
        return answers
    }

    /// The same answer for all four types.
    static func all<Answer>(_ answer: Answer) -> [String: Answer] {
        Dictionary(uniqueKeysWithValues: types.map { ($0, answer) })
    }

    // MARK: Making

    static func makeModel() -> NSManagedObjectModel {
        let article = entity(
            "Article",
            [
                ("title", .stringAttributeType), ("words", .integer32AttributeType), ("rating", .doubleAttributeType),
                ("flags", .integer64AttributeType), ("published", .dateAttributeType),
                ("isDraft", .booleanAttributeType), ("price", .decimalAttributeType), ("kind", .stringAttributeType),
                ("code", .stringAttributeType),
            ])
        let author = entity("Author", [("name", .stringAttributeType), ("age", .integer16AttributeType)])
        let tag = entity("Tag", [("label", .stringAttributeType), ("weight", .integer16AttributeType)])
        let essay = entity("Essay", [("topic", .stringAttributeType)])
        relate(article, "author", many: false, to: author, "articles")
        relate(article, "tags", many: true, to: tag, "articles")
        article.subentities = [essay]
        let model = NSManagedObjectModel()
        model.entities = [article, author, tag, essay]
        return model
    }

    private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = true
            return attribute
        }
        return entity
    }

    private static func relate(
        _ entity: NSEntityDescription, _ name: String, many: Bool, to other: NSEntityDescription, _ inverseName: String
    ) {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = other
        relationship.maxCount = many ? 0 : 1
        let inverse = NSRelationshipDescription()
        inverse.name = inverseName
        inverse.destinationEntity = entity
        inverse.maxCount = 0
        for side in [relationship, inverse] {
            side.minCount = 0
            side.isOptional = true
            side.deleteRule = .nullifyDeleteRule
        }
        relationship.inverseRelationship = inverse
        inverse.inverseRelationship = relationship
        entity.properties.append(relationship)
        other.properties.append(inverse)
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        func new(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            return object
        }
        let ann = new("Author", ["name": "Ann", "age": 30])
        let bob = new("Author", ["name": "Bob", "age": 40])
        _ = new("Author", ["name": "Cyd", "age": 50])
        let swift = new("Tag", ["label": "swift", "weight": 1])
        let linux = new("Tag", ["label": "Linux", "weight": 2])
        _ = new("Tag", ["label": "unused", "weight": 3])
        _ = new(
            "Article",
            [
                "title": "Alpha", "words": 100, "rating": 1.5, "flags": 3, "published": firstDay, "isDraft": false,
                "price": NSDecimalNumber(string: "9.99"), "kind": "news", "code": "5", "author": ann,
                "tags": NSSet(array: [swift, linux]),
            ])
        _ = new(
            "Article",
            [
                "title": "beta", "words": 200, "rating": 2.5, "flags": 2,
                "published": firstDay.addingTimeInterval(86400),
                "isDraft": true, "price": NSDecimalNumber(string: "19.5"), "kind": "news", "code": "10", "author": ann,
                "tags": NSSet(array: [swift]),
            ])
        _ = new(
            "Article",
            [
                "title": "Gämma", "words": 300, "rating": 3.5, "flags": 4,
                "published": firstDay.addingTimeInterval(172_800), "isDraft": false, "kind": "blog", "code": "x",
                "author": bob,
            ])
        _ = new(
            "Article", ["title": "delta", "words": 300, "rating": 4.5, "flags": 0, "isDraft": true, "kind": "blog"])
        _ = new(
            "Essay",
            [
                "title": "Epsilon", "words": 50, "rating": 5.0, "flags": 8, "kind": "essay", "topic": "t",
                "isDraft": false, "author": bob, "tags": NSSet(array: [linux]),
            ])
        try context.save()
    }
}
