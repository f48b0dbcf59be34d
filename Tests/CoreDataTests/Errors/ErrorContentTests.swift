import CoreData
import Foundation
import Testing

@Suite("What errors say, and what they don't")
struct ErrorContentTests {
    private static let server = "postgresql://joe:S3CRET@db.invalid/shop?sslpassword=S3CRET"

    private static func model(external: Bool = false) -> NSManagedObjectModel {
        let model = CodedModel.model("Note", "data", .binaryDataAttributeType)
        model.entities[0].attributesByName["data"]?.allowsExternalBinaryDataStorage = external
        return model
    }

    @Test(
        "The password in the URL of a server is in no error and no description",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func password(type: String) throws {
        let url = try #require(URL(string: Self.server))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let opening = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        }
        let manager = NSMigrationManager(sourceModel: Self.model(), destinationModel: Self.model(external: true))
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: Self.model(), destinationModel: Self.model(external: true))
        let migrating = #expect(throws: NSError.self) {
            try manager.migrateStore(
                from: url, sourceType: type, options: nil, with: mapping, toDestinationURL: url, destinationType: type,
                destinationOptions: nil)
        }
        let description = NSPersistentStoreDescription(url: url)
        for text in ["\(try #require(opening))", "\(try #require(migrating))", "\(description)"] {
            #expect(!text.contains("S3CRET"), "\(text)")
        }
    }

    @Test("A folder of external values that can't be made is named, with the system's words")
    func folder() throws {
        let stack = try TemporaryStack(model: Self.model(external: true))
        let support = stack.folder.appendingPathComponent(".Library_SUPPORT")
        try Data("x".utf8).write(to: support)
        let context = stack.context()
        context.make("Note", ["data": Data(repeating: 7, count: 300_000)])
        let error = try #require(throws: NSError.self) { try context.save() }
        #expect([CocoaError.fileWriteUnknown.rawValue, NSPersistentStoreSaveError].contains(error.code), "\(error)")
        #expect(error.localizedDescription.contains(support.path), "\(error)")
        try FileManager.default.removeItem(at: support)
        try context.save()
    }

    @Test("What can't be made beside a store has the code that Foundation gives it, file or folder")
    func codes() throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Library.sqlite")
        let tooLong = folder.url.appendingPathComponent(String(repeating: "a", count: 300))
        let dangling = folder.url.appendingPathComponent("dangling")
        try FileManager.default.createSymbolicLink(
            at: dangling, withDestinationURL: folder.url.appendingPathComponent("nothing"))
        func code(_ body: () throws -> Void) -> CocoaError.Code? {
            #expect(throws: NSError.self, performing: body).map { CocoaError.Code(rawValue: ($0 as NSError).code) }
        }
        #expect(code { try StoreFileMode.create(tooLong, like: store) } == .fileWriteInvalidFileName)
        #expect(code { try StoreFileMode.createFolder(tooLong, like: store) } == .fileWriteInvalidFileName)
        #expect(code { try StoreFileMode.create(dangling, like: store) } == .fileWriteFileExists)
        #expect(code { try StoreFileMode.createFolder(dangling, like: store) } == .fileWriteFileExists)
        let missing = folder.url.appendingPathComponent("missing/file")
        #expect(code { try StoreFileMode.create(missing, like: store) } == .fileNoSuchFile)
        try Data().write(to: store)
        let below = store.appendingPathComponent("folder")
        #expect(code { try StoreFileMode.create(below, like: store) } == .fileWriteUnknown)
        #expect(code { try StoreFileMode.createFolder(below, like: store) } == .fileWriteUnknown)
    }
}
