import ArchiveStore
import CoreData
import CoreDataStoreTesting
import Foundation
import Testing

@Suite("The archive store is a store like any other")
struct ArchiveStoreTests {
    static let conformance = StoreConformance(storeClass: ArchiveStore.self, storeType: ArchiveStore.storeType)

    @Test("It keeps the rules for stores", arguments: conformance.rules)
    func keeps(_ rule: StoreRule) throws { try Self.conformance.check(rule) }
}
