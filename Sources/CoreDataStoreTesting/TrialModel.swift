import CoreData
import Foundation

/// The model of the suite: a library, small enough to remember, and a sample with every type of attribute.
///
/// ```
/// Item (abstract): name, number, shelf     Book: pages, author, genres, chapters (ordered), admirers
///                                          Film: length
/// Shelf: name, items                       Author: name, born, books, favourites (ordered), mentor, pupils
/// Genre: name, books                       Chapter: name, book             Sample: one attribute of each type
/// ```
enum TrialModel {
    static func make() -> NSManagedObjectModel {
        let item = entity("Item", [attribute("number", .integer64AttributeType)])
        item.isAbstract = true
        let book = subentity("Book", attribute("pages", .integer32AttributeType))
        let film = subentity("Film", attribute("length", .doubleAttributeType))
        item.subentities = [book, film]
        let shelf = entity("Shelf")
        let author = entity("Author", [attribute("born", .dateAttributeType)])
        let genre = entity("Genre")
        let chapter = entity("Chapter")
        relate(item, "shelf", .one, shelf, "items", .many)
        relate(book, "author", .one, author, "books", .many)
        relate(book, "genres", .many, genre, "books", .many)
        relate(book, "chapters", .ordered, chapter, "book", .one, deleteRule: .cascadeDeleteRule)
        relate(author, "favourites", .ordered, book, "admirers", .many)
        relate(author, "pupils", .many, author, "mentor", .one)
        let model = NSManagedObjectModel()
        model.entities = [item, book, film, shelf, author, genre, chapter, sample()]
        return model
    }

    /// The same, with an attribute more: a model that stores of ``make()`` don't fit.
    static func makeOther() -> NSManagedObjectModel {
        let model = make()
        model.entitiesByName["Genre"]?.properties.append(attribute("colour", .stringAttributeType))
        return model
    }

    /// The attributes of `Sample` by name.
    static let sampleTypes: [(name: String, type: NSAttributeType)] = [
        ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
        ("decimal", .decimalAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
        ("text", .stringAttributeType), ("flag", .booleanAttributeType), ("date", .dateAttributeType),
        ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType),
        ("list", .transformableAttributeType),
    ]

    private static func sample() -> NSEntityDescription {
        let sample = entity("Sample", sampleTypes.map { attribute($0.name, $0.type) })
        let position = NSCompositeAttributeDescription()
        position.name = "position"
        position.isOptional = true
        position.elements = [attribute("x", .doubleAttributeType), attribute("label", .stringAttributeType)]
        let withDefault = attribute("state", .stringAttributeType)
        withDefault.defaultValue = "new"
        let transient = attribute("note", .stringAttributeType)
        transient.isTransient = true
        sample.properties += [position, withDefault, transient]
        return sample
    }

    private enum Kind { case one, many, ordered }

    private static func entity(_ name: String, _ attributes: [NSAttributeDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        entity.properties = [attribute("name", .stringAttributeType)] + attributes
        return entity
    }

    /// Its name is inherited.
    private static func subentity(_ name: String, _ attribute: NSAttributeDescription) -> NSEntityDescription {
        let entity = entity(name)
        entity.properties = [attribute]
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relate(
        _ entity: NSEntityDescription, _ name: String, _ kind: Kind, _ other: NSEntityDescription,
        _ inverseName: String, _ inverseKind: Kind, deleteRule: NSDeleteRule = .nullifyDeleteRule
    ) {
        let relationship = relationship(name, kind, to: other)
        let inverse = self.relationship(inverseName, inverseKind, to: entity)
        relationship.deleteRule = deleteRule
        relationship.inverseRelationship = inverse
        inverse.inverseRelationship = relationship
        entity.properties.append(relationship)
        other.properties.append(inverse)
    }

    private static func relationship(_ name: String, _ kind: Kind, to entity: NSEntityDescription)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        relationship.minCount = 0
        relationship.maxCount = kind == .one ? 1 : 0
        relationship.isOrdered = kind == .ordered
        return relationship
    }
}
