import CoreData
import Foundation

/// Notes with a unique name in folders that are ordered, and labels that have to do with nobody else.
enum NoteModel {
    static func make() -> NSManagedObjectModel {
        let note = entity(
            "Note", [("name", .stringAttributeType), ("text", .stringAttributeType), ("written", .dateAttributeType)])
        note.uniquenessConstraints = [["name"]]
        let folder = entity("Folder", [("name", .stringAttributeType)])
        let label = entity("Label", [("name", .stringAttributeType), ("_weight", .decimalAttributeType)])
        let (home, notes) = (
            relationship("folder", to: folder, many: false), relationship("notes", to: note, many: true)
        )
        notes.isOrdered = true
        let (labels, labelled) = (
            relationship("labels", to: label, many: true), relationship("notes", to: note, many: true)
        )
        for (one, other) in [(home, notes), (labels, labelled)] {
            one.inverseRelationship = other
            other.inverseRelationship = one
        }
        note.properties += [home, labels]
        folder.properties.append(notes)
        label.properties.append(labelled)
        let model = NSManagedObjectModel()
        model.entities = [note, folder, label]
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

    private static func relationship(_ name: String, to entity: NSEntityDescription, many: Bool)
        -> NSRelationshipDescription
    {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.isOptional = true
        relationship.maxCount = many ? 0 : 1
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    @discardableResult
    static func note(_ name: String, in context: NSManagedObjectContext) -> NSManagedObject {
        object("Note", name, in: context)
    }

    @discardableResult
    static func object(_ entity: String, _ name: String, in context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    static func all(_ entity: String, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }
}
