import CoreData
import CoreDataStoreTesting
import Foundation
import KeyValueStore
import Testing

@Suite("KeyValueStore keeps every rule for stores")
struct KeyValueStoreConformanceTests {
    static let conformance: StoreConformance = {
        var conformance = StoreConformance(storeClass: KeyValueStore.self, storeType: KeyValueStore.storeType)
        conformance.isShared = true
        conformance.worksWithoutURL = false
        conformance.damages = [
            StoreConformance.Damage("a file where the folder was") { url in
                try FileManager.default.removeItem(at: url)
                try StoreConformance.Damage.garbage.apply(url)
            },
            StoreConformance.Damage("metadata that is something else") { url in
                try StoreConformance.Damage.garbage.apply(url.appendingPathComponent("metadata.plist"))
            },
            StoreConformance.Damage("an object that is something else") { url in
                let folder = url.appendingPathComponent("Book")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                try StoreConformance.Damage.garbage.apply(folder.appendingPathComponent(names[0]))
            },
        ]
        return conformance
    }()

    @Test(arguments: conformance.rules)
    func keeps(_ rule: StoreRule) throws { try Self.conformance.check(rule) }
}
