import CoreData
import CoreDataStoreTesting
import Foundation
import Testing

@Suite("The stores of the package keep every rule for stores")
struct BuiltInStoreTests {
    static let sqlite: StoreConformance = {
        var conformance = StoreConformance(storeType: NSSQLiteStoreType)
        conformance.makesFilesAtOnce = true
        conformance.isShared = true
        conformance.breakSaving = { try SQLiteSaveBreaker.breakSaving(at: $0) }
        return conformance
    }()
    static let xml = StoreConformance(storeType: NSXMLStoreType)
    static let binary = StoreConformance(storeType: NSBinaryStoreType)
    static let memory: StoreConformance = {
        var conformance = StoreConformance(storeType: NSInMemoryStoreType)
        conformance.keepsContents = false
        conformance.takesReservations = false
        conformance.hasMetadataWithoutStack = false
        conformance.breakSaving = nil
        return conformance
    }()

    @Test("SQLite", arguments: sqlite.rules)
    func sqliteKeeps(_ rule: StoreRule) throws { try Self.sqlite.check(rule) }

    @Test("XML", arguments: xml.rules)
    func xmlKeeps(_ rule: StoreRule) throws { try Self.xml.check(rule) }

    @Test("Binary", arguments: binary.rules)
    func binaryKeeps(_ rule: StoreRule) throws { try Self.binary.check(rule) }

    @Test("In memory", arguments: memory.rules)
    func memoryKeeps(_ rule: StoreRule) throws { try Self.memory.check(rule) }

    @Test("The rules keep to contexts' queues, as a debug build of an author's tests demands")
    func queues() async {
        await #expect(processExitsWith: .success) {
            setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1)
            for rule in Self.sqlite.rules { try Self.sqlite.check(rule) }
        }
    }
}
