import CoreData
import Foundation
import Synchronization
import Testing

@Suite("What programs rely on in coordinators and models")
struct CoordinatorConventionTests {
    private final class Tint: NSObject, NSCoding {
        let number: Int

        init(_ number: Int) { self.number = number }

        init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "number") }

        func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
    }

    private static let fileTypes = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("store") }

    init() throws { folder = try TemporaryFolder() }

    @Test("the notification of a store that is going has the store as its object")
    func removal() throws {
        let context = try NSPersistentStoreCoordinator.context(
            CodedModel.model("Thing", "name", .stringAttributeType), at: url)
        let coordinator = try #require(context.persistentStoreCoordinator)
        let store = coordinator.persistentStores[0]
        let seen = Mutex(0)
        let token = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: store, queue: nil
        ) { notification in
            if notification.userInfo == nil { seen.withLock { $0 += 1 } }
        }
        try coordinator.remove(store)
        NotificationCenter.default.removeObserver(token)
        #expect(seen.withLock { $0 } == 1)
    }

    @Test("saving into a read-only store is error 513, for changes, insertions and deletions", arguments: fileTypes)
    func readOnly(type: String) throws {
        let model = CodedModel.model("Thing", "name", .stringAttributeType)
        var context = try NSPersistentStoreCoordinator.context(model, at: url, type: type)
        try context.performAndWait {
            context.make("Thing", ["name": "one"])
            try context.save()
        }
        try context.closeStores()
        context = try NSPersistentStoreCoordinator.context(
            model, at: url, type: type, options: [NSReadOnlyPersistentStoreOption: true])
        let codes = try context.performAndWait {
            let changes: [(NSManagedObject) -> Void] = [
                { $0.setValue("two", forKey: "name") }, { context.delete($0) }, { _ in context.make("Thing") },
            ]
            return try changes.map { change -> Int? in
                change(try #require(try context.all("Thing").first))
                defer { context.rollback() }
                do {
                    try context.save()
                    return nil
                } catch {
                    return (error as NSError).code
                }
            }
        }
        #expect(codes == [513, 513, 513])
        #expect(codes.first == CocoaError.Code.fileWriteNoPermission.rawValue)
    }

    @Test("a transformable attribute may have a default of a class of the program's own")
    func foreignDefault() throws {
        let model = CodedModel.model("Thing", "tint", .transformableAttributeType)
        model.entities[0].attributesByName["tint"]?.defaultValue = Tint(3)
        let context = try NSPersistentStoreCoordinator.context(model, at: url)
        context.performAndWait {
            #expect((context.make("Thing").value(forKey: "tint") as? Tint)?.number == 3)
        }
        #expect(throws: Never.self) { try NSPersistentStoreCoordinator.cachedModelForPersistentStore(at: url) }
        #expect(throws: ModelFileError.self) {
            try ModelVersions(models: ["1": model], currentVersionName: "1")
                .writeCompiled(to: folder.url.appendingPathComponent("M.momd"))
        }
    }

    @Test("the names for people may be set while the model is in use")
    func localization() throws {
        let model = CodedModel.model("Thing", "name", .stringAttributeType)
        let context = try NSPersistentStoreCoordinator.context(model, at: url)
        model.localizationDictionary = ["Entity/Thing": "Ding"]
        #expect(
            context.persistentStoreCoordinator?.managedObjectModel.localizationDictionary == ["Entity/Thing": "Ding"])
    }
}
