import CoreData
import Foundation
import Testing

@Suite("Transformable values of collections within collections")
struct DeepValueTests {
    private static func model(_ transformer: String?) -> NSManagedObjectModel {
        let attribute = NSAttributeDescription()
        attribute.name = "value"
        attribute.attributeType = .transformableAttributeType
        attribute.valueTransformerName = transformer
        attribute.isOptional = true
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = [attribute]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func nested(_ kind: String, _ depth: Int) -> NSObject {
        var value: NSObject = "leaf" as NSString
        for level in 0..<depth {
            switch kind {
            case "arrays": value = NSArray(object: value)
            case "dictionaries": value = NSDictionary(object: value, forKey: "key" as NSString)
            default: value = level % 2 == 0 ? NSArray(array: [value, level]) : ["a": value] as NSDictionary
            }
        }
        return value
    }

    /// Saves the value; the one that is read back, or the error.
    private func saved(_ value: NSObject, type: String, transformer: String?) throws -> Any? {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(transformer))
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("store"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            thing.setValue(value, forKey: "value")
            try context.save()
            context.reset()
            let read = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))[0].value(forKey: "value")
            try coordinator.remove(store)
            return read
        }
    }

    @Test(
        "are saved within seconds as deep as 60 levels, and come back as they were",
        arguments: ["arrays", "dictionaries", "mixed"], [nil, "NSSecureUnarchiveFromData"])
    func deep(kind: String, transformer: String?) throws {
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            let value = Self.nested(kind, 60)
            let clock = Date()
            let read = try #require(try saved(value, type: type, transformer: transformer))
            #expect(Date().timeIntervalSince(clock) < 10)
            // Comparing by Foundation takes as long as archiving by it.
            #expect("\(read)" == "\(value)")
        }
    }

    @Test(
        "that are deeper are an error of the save",
        arguments: [
            ("arrays", 70), ("dictionaries", 70), ("mixed", 66),
        ])
    func refused(kind: String, depth: Int) throws {
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            let clock = Date()
            let error = #expect(throws: NSError.self) {
                _ = try saved(Self.nested(kind, depth), type: type, transformer: nil)
            }
            #expect(Date().timeIntervalSince(clock) < 10)
            let text = error?.localizedDescription ?? ""
            #expect(text.contains("Thing.value") && text.contains("of the class Foundation.NS"), "\(text)")
            #expect(error?.userInfo[NSValidationObjectErrorKey] is NSManagedObject)
        }
    }

    @Test("with errors in them are an error of the save", arguments: ["array", "dictionary", "within"])
    func errors(how: String) throws {
        let failure = NSError(domain: "test", code: 1)
        let value: NSObject =
            switch how {
            case "array": NSArray(object: failure)
            case "dictionary": NSDictionary(object: failure, forKey: "error" as NSString)
            default: NSArray(object: NSDictionary(object: NSArray(object: failure), forKey: "errors" as NSString))
            }
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType] {
            let error = #expect(throws: NSError.self) { _ = try saved(value, type: type, transformer: nil) }
            #expect(error?.localizedDescription.contains("Thing.value") == true)
            #expect(error?.localizedDescription.contains("can't archive errors") == true)
        }
    }
}
