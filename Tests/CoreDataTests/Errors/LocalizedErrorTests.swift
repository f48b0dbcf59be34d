import CoreData
import Foundation
import Testing

@Suite("Errors of validation in the words of the model's localization dictionary")
struct LocalizedErrorTests {
    private func error(_ texts: [String: String]?) throws -> String {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = false
        let base = NSEntityDescription()
        base.name = "Base"
        base.properties = [name]
        let tag = NSEntityDescription()
        tag.name = "Tag"
        base.subentities = [tag]
        let model = NSManagedObjectModel()
        model.entities = [base, tag]
        model.localizationDictionary = texts
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        return try #require(throws: NSError.self) { try context.save() }.localizedDescription
    }

    @Test func `names of entities and properties, and texts, are replaced`() throws {
        #expect(
            try error([
                "Entity/Tag": "Etiqueta", "Property/name/Entity/Tag": "Nombre", "Property/name": "Otro",
                "ErrorString/is required and has no value": "falta",
            ]) == "Etiqueta.Nombre falta.")
    }

    @Test func `a property's name may be that of the entity it is inherited from, or of all of its name`() throws {
        #expect(try error(["Property/name/Entity/Base": "Nombre"]).hasPrefix("Tag.Nombre "))
        #expect(try error(["Property/name": "Otro"]).hasPrefix("Tag.Otro "))
        #expect(try error(nil) == "Tag.name is required and has no value.")
    }
}
