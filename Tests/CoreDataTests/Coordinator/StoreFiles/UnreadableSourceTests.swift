import CoreData
import Foundation
import Testing

@Suite("What isn't a readable store")
struct UnreadableSourceTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    private func store(_ name: String, _ type: String, in folder: TemporaryFolder) throws -> URL {
        let url = folder.url.appendingPathComponent(name)
        let stack = try AtomicStack(url, type: type)
        stack.context.make("Author", ["name": name])
        try stack.context.save()
        try stack.close()
        return url
    }

    @Test("replaces no store: the old one stays as it was", arguments: types)
    func source(type: String) throws {
        let folder = try TemporaryFolder()
        let good = try store("good", type, in: folder)
        let other = try store("other", type == NSXMLStoreType ? NSBinaryStoreType : NSXMLStoreType, in: folder)
        let whole = try Data(contentsOf: try store("whole", type, in: folder))
        let before = try Data(contentsOf: good)
        let source = folder.url.appendingPathComponent("source")
        let contents: [Data] = [
            Data(), Data("a text".utf8), Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            try Data(contentsOf: other),
            whole.prefix(whole.count / 2), Data(repeating: 0xA5, count: 100) + whole.dropFirst(100),
        ]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model(for: type))
        for (place, data) in contents.enumerated() {
            try data.write(to: source)
            #expect(throws: (any Error).self, "contents \(place)") {
                try coordinator.replacePersistentStore(at: good, withPersistentStoreFrom: source, ofType: type)
            }
            #expect(try Data(contentsOf: good) == before, "contents \(place)")
        }
    }

    @Test("is named by no other identifier: any text for a store's makes URIs that lead back", arguments: types)
    func identifiers(type: String) throws {
        let folder = try TemporaryFolder()
        let url = try store("store", type, in: folder)
        for identifier in ["a b", "a[b", "[", "a/b", "é:99999999", "%41", "ü%", "🇨🇿", "a:b@c"] {
            let stack = try AtomicStack(url, type: type)
            defer { try? stack.close() }
            stack.coordinator.persistentStores.first?.identifier = identifier
            let author = try #require(try stack.context.all("Author").first)
            let uri = author.objectID.uriRepresentation()
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == author.objectID, "\(uri)")
            let copy = try #require(URL(string: uri.absoluteString))
            #expect(stack.coordinator.managedObjectID(forURIRepresentation: copy) == author.objectID, "\(uri)")
        }
    }

    @Test("is no address of the network")
    func address() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model())
        let url = try #require(URL(string: "http://example.com/a.sqlite"))
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        }
        #expect(error.map { "\($0)" }?.contains("http") == true)
    }
}
