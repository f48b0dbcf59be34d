import CoreDataStoreTesting
import Foundation
import TableEngine
import Testing

@testable import CoreData

@Suite("A store over an engine in a target of its own")
struct TableEngineTests {
    static let conformance: StoreConformance = {
        var conformance = StoreConformance(storeClass: EngineStore<TableEngine>.self, storeType: TableEngine.storeType)
        conformance.takesReservations = false
        conformance.isShared = true
        conformance.worksWithoutURL = false
        conformance.migratesWhereItLies = false
        conformance.breakSaving = nil
        conformance.damages = []
        return conformance
    }()

    @Test("keeps every rule that stores are held to", arguments: conformance.rules)
    func keeps(_ rule: StoreRule) throws { try Self.conformance.check(rule) }
}
