import CoreData
import Foundation
import Testing

@Suite("A fetch that names its stores")
struct AffectedStoreTests {
    @Test(
        "finds what is, or will be, in these, saved or not",
        arguments: [(NSSQLiteStoreType, NSSQLiteStoreType), (NSInMemoryStoreType, NSXMLStoreType)])
    func unsaved(types: (String, String)) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: CodedModel.model("Thing", "name", .stringAttributeType))
        let stores = try [types.0, types.1].enumerated().map { number, type in
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: folder.url.appendingPathComponent("\(number)"))
        }
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        func names(_ affected: [NSPersistentStore]?, limit: Int = 0) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            request.affectedStores = affected
            request.fetchLimit = limit
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = try context.fetch(request).compactMap { $0.text("name") }
            #expect(try context.count(for: request) == found.count)
            return found
        }
        let first = context.make("Thing", ["name": "first"])
        let second = context.make("Thing", ["name": "second"])
        context.assign(second, to: stores[1])
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            for limit in [0, 5] {
                #expect(try names([stores[0]], limit: limit) == ["first"])
                #expect(try names([stores[1]], limit: limit) == ["second"])
                #expect(try names(nil, limit: limit) == ["first", "second"])
                #expect(try names([], limit: limit) == [])
            }
        }
        first.setValue("changed", forKey: "name")
        second.setValue("also", forKey: "name")
        for limit in [0, 5] {
            #expect(try names([stores[0]], limit: limit) == ["changed"])
            #expect(try names([stores[1]], limit: limit) == ["also"])
        }
        context.delete(second)
        #expect(try names([stores[0]]) == ["changed"] && names([stores[1]]) == [])
    }
}
