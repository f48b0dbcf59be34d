import CoreData
import CoreDataStoreTesting
import Foundation
import Testing
import WebStore

@Suite("WebStore keeps every rule for stores")
struct WebStoreConformanceTests {
    @Test(arguments: TrialServices().conformance.rules)
    func keeps(_ rule: StoreRule) throws {
        let services = TrialServices()
        defer { services.stop() }
        try services.conformance.check(rule)
    }
}
