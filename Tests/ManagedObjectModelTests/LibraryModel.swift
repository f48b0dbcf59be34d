import Foundation
import ManagedObjectModel

/// A small model made by program, as an app without a model file would make it.
enum LibraryModel {
    static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, optional: Bool = true, default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = optional
        attribute.defaultValue = value
        return attribute
    }

    static func relationship(
        _ name: String, to entity: NSEntityDescription, maxCount: Int = 1
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.maxCount = maxCount
        return relationship
    }

    static func entity(_ name: String, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = properties
        return entity
    }

    /// Works that are books or maps, by authors.
    static func make() -> NSManagedObjectModel {
        let work = entity("Work", [attribute("title", .string, optional: false, default: "")])
        work.isAbstract = true
        let book = entity("Book", [attribute("pages", .integer32), attribute("isbn", .string)])
        book.uniquenessConstraints = [["isbn"]]
        let map = entity("Map", [attribute("scale", .double)])
        work.subentities = [book, map]
        let author = entity("Author", [attribute("name", .string)])
        let works = relationship("works", to: work, maxCount: 0)
        let writer = relationship("author", to: author)
        works.inverseRelationship = writer
        writer.inverseRelationship = works
        author.properties += [works]
        work.properties += [writer]
        let model = NSManagedObjectModel()
        model.entities = [work, book, map, author]
        return model
    }
}
