import CoreData
import Foundation
import Testing

/// A class that any program may have archived.
final class UnsecuredValue: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

@Suite("What goes wrong, and is tolerated, stands in the log")
struct ToldFailureTests {
    private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
    }

    private static func model(_ type: NSAttributeType = .transformableAttributeType) -> NSManagedObjectModel {
        let attribute = NSAttributeDescription()
        attribute.name = "value"
        attribute.attributeType = type
        attribute.isOptional = true
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.properties = [attribute]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private static func context(
        _ type: String, at url: URL, _ model: NSManagedObjectModel = model(), options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectContext {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("an option that no store knows")
    func option() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType] {
                let folder = try TemporaryFolder()
                _ = try Self.context(
                    type, at: folder.url.appendingPathComponent("store"), options: ["NSMisspelt\(type)": true])
            }
        }
        let text = Self.text(result)
        for type in [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType] {
            #expect(text.contains("NSMisspelt\(type)"), "\(text)")
        }
    }

    @Test("a class without secure coding")
    func plainClass() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            let context = try Self.context(NSSQLiteStoreType, at: folder.url.appendingPathComponent("store"))
            try context.performAndWait {
                let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValue(UnsecuredValue(), forKey: "value")
                try context.save()
                context.reset()
                #expect(try context.all("Thing").first?.value(forKey: "value") is UnsecuredValue)
            }
        }
        #expect(Self.text(result).contains("UnsecuredValue"), "\(Self.text(result))")
    }

    @Test("a value that can't be read, once for its attribute")
    func unreadable() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            let url = folder.url.appendingPathComponent("store")
            var context = try Self.context(NSSQLiteStoreType, at: url, Self.model(.binaryDataAttributeType))
            try context.performAndWait {
                for _ in 0..<2 {
                    NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                        .setValue(Data([1, 2]), forKey: "value")
                }
                try context.save()
            }
            context = try Self.context(
                NSSQLiteStoreType, at: url, options: [NSIgnorePersistentStoreVersioningOption: true])
            try context.performAndWait {
                for thing in try context.all("Thing") { #expect(thing.value(forKey: "value") == nil) }
            }
        }
        #expect(Self.text(result).components(separatedBy: "Thing.value").count == 2, "\(Self.text(result))")
    }

    @Test("a results controller that can't fetch anew")
    func refetch() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            let model = Self.model(.stringAttributeType)
            let context = try Self.context(NSSQLiteStoreType, at: folder.url.appendingPathComponent("store"), model)
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
                request.sortDescriptors = [NSSortDescriptor(key: "value", ascending: true)]
                let controller = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
                try controller.performFetch()
                _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                context.processPendingChanges()
                request.predicate = NSPredicate(format: "value MATCHES '('")
                let delegate = Delegate()
                controller.delegate = delegate
                #expect(controller.fetchedObjects?.isEmpty == true)
            }
        }
        #expect(Self.text(result).contains("CoreData:"), "\(Self.text(result))")
    }
}
