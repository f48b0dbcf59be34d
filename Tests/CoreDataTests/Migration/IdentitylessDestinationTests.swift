import CoreData
import Foundation
import Testing

/// A store that gives no identities.
private final class IdentitylessStore: NSIncrementalStore {
    static let typeName = "IdentitylessDestinationTests.Store"
    static let refusal = NSError(domain: "IdentitylessStore", code: 7)

    override var type: String { Self.typeName }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.typeName, NSStoreUUIDKey: UUID().uuidString]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        [Any]()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] { throw Self.refusal }
}

@Suite("A migration into a store that gives no identities")
struct IdentitylessDestinationTests {
    @Test("fails with what the store has thrown")
    func failure() throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            IdentitylessStore.self, forStoreType: IdentitylessStore.typeName)
        let folder = try TemporaryFolder()
        let (from, to) = (folder.url.appendingPathComponent("Old"), folder.url.appendingPathComponent("New"))
        try MigrationLibrary.makeStore(at: from, authors: 3)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        for entity in new.entities { entity.uniquenessConstraints = [] }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let before = try Data(contentsOf: from)
        let error = #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: from, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: to,
                destinationType: IdentitylessStore.typeName, destinationOptions: nil)
        }
        var causes: [NSError] = []
        var cause = error
        while let next = cause {
            causes.append(next)
            cause = next.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        #expect(causes.contains { $0.domain == "IdentitylessStore" && $0.code == 7 }, "\(causes)")
        #expect(try Data(contentsOf: from) == before)
    }
}
