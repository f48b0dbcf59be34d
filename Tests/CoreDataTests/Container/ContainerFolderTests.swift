import CoreData
import Foundation
import Testing

@Suite("The folder of a container's store")
struct ContainerFolderTests {
    private let folder: TemporaryFolder
    private let model = CodedModel.model("Thing", "name", .stringAttributeType)

    init() throws { folder = try TemporaryFolder() }

    private func load(_ description: NSPersistentStoreDescription) -> (any Error)? {
        let container = NSPersistentContainer(name: "Things", managedObjectModel: model)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        return failure
    }

    @Test("is made where it isn't there", arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func made(type: String) throws {
        let url = folder.url.appendingPathComponent("one/two/\(type).store")
        let description = NSPersistentStoreDescription(url: url)
        description.type = type
        #expect(load(description) == nil)
        #expect(FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    }

    @Test("isn't made for a store that is only read, nor by a coordinator")
    func notMade() {
        let url = folder.url.appendingPathComponent("none/store.sqlite")
        let description = NSPersistentStoreDescription(url: url)
        description.isReadOnly = true
        #expect(load(description) != nil)
        #expect(throws: (any Error).self) {
            try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        }
        #expect(!FileManager.default.fileExists(atPath: url.deletingLastPathComponent().path))
    }

    @Test("that can't be made is the store's error")
    func impossible() throws {
        let file = folder.url.appendingPathComponent("file")
        try Data().write(to: file)
        #expect(load(NSPersistentStoreDescription(url: file.appendingPathComponent("store.sqlite"))) != nil)
    }
}
