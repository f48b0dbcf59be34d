import CoreData
import Foundation

/// The model of the benchmarks: a counter with ten optional integers, and a user whose identifier is unique.
enum BenchmarkModel {
    static func make(isIndexed: Bool) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [counter(isIndexed: isIndexed), user()] + shelves()
        return model
    }

    /// Opens a store of the model, and makes it where there is none.
    static func open(_ url: URL, isIndexed: Bool = false) throws -> NSPersistentContainer {
        try open(url, model: make(isIndexed: isIndexed))
    }

    static func open(_ url: URL, model: NSManagedObjectModel) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Benchmark", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private static func counter(isIndexed: Bool) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = "Counter"
        entity.managedObjectClassName = NSStringFromClass(Counter.self)
        entity.properties = (0..<CounterValues.columns).map { attribute("value\($0)", .integer64AttributeType) }
        if isIndexed, let group = entity.propertiesByName["value0"] {
            let element = NSFetchIndexElementDescription(property: group, collationType: .binary)
            entity.indexes = [NSFetchIndexDescription(name: "byValue0", elements: [element])]
        }
        return entity
    }

    private static func user() -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = "User"
        entity.managedObjectClassName = NSStringFromClass(User.self)
        entity.properties = [
            attribute("identifier", .UUIDAttributeType), attribute("name", .stringAttributeType),
        ]
        entity.uniquenessConstraints = [["identifier"]]
        return entity
    }

    /// Shelves with volumes.
    private static func shelves() -> [NSEntityDescription] {
        let (shelf, volume) = (NSEntityDescription(), NSEntityDescription())
        (shelf.name, volume.name) = ("Shelf", "Volume")
        shelf.managedObjectClassName = NSStringFromClass(Shelf.self)
        volume.managedObjectClassName = NSStringFromClass(Volume.self)
        let (volumes, itsShelf) = (NSRelationshipDescription(), NSRelationshipDescription())
        (volumes.name, itsShelf.name) = ("volumes", "shelf")
        (volumes.destinationEntity, itsShelf.destinationEntity) = (volume, shelf)
        (volumes.inverseRelationship, itsShelf.inverseRelationship) = (itsShelf, volumes)
        (volumes.maxCount, itsShelf.maxCount) = (0, 1)
        (volumes.isOptional, itsShelf.isOptional) = (true, true)
        shelf.properties = [attribute("number", .integer64AttributeType), volumes]
        volume.properties = [attribute("pages", .integer64AttributeType), itsShelf]
        return [shelf, volume]
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }
}
