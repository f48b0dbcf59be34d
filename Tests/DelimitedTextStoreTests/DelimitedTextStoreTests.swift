import CoreData
import CoreDataStoreTesting
import DelimitedTextStore
import Foundation
import Testing

@Suite("The store of lines is a store like any other")
struct DelimitedTextStoreTests {
    static let conformance = StoreConformance(
        storeClass: DelimitedTextStore.self, storeType: DelimitedTextStore.storeType)

    @Test("It keeps the rules for stores", arguments: conformance.rules)
    func keeps(_ rule: StoreRule) throws { try Self.conformance.check(rule) }
}
