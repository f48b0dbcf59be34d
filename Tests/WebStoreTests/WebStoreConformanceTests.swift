import CoreData
import CoreDataStoreTesting
import Foundation
import Synchronization
import Testing
import WebStore

@Suite("WebStore keeps every rule for stores")
struct WebStoreConformanceTests {
    /// A service for each folder of the rules, by that folder.
    private static let services = Mutex<[URL: LibraryService]>([:])

    private static func service(at url: URL) -> LibraryService? {
        services.withLock { services in services.values.first { $0.server.url == url } }
    }

    static let conformance: StoreConformance = {
        var conformance = StoreConformance(storeClass: WebStore.self, storeType: WebStore.storeType)
        conformance.worksWithoutURL = false
        conformance.takesReservations = false
        conformance.hasMetadataWithoutStack = false
        conformance.place = { folder in
            try services.withLock { services in
                if let service = services[folder] { return service.server.url }
                let service = try LibraryService()
                services[folder] = service
                return service.server.url
            }
        }
        conformance.breakSaving = { url in
            service(at: url)?.answerAlways(LoopbackServer.Response(status: 503))
            return { service(at: url)?.answerAlways(nil) }
        }
        conformance.damages = [
            StoreConformance.Damage("a service that answers something else") { url in
                service(at: url)?.answerAlways(LoopbackServer.Response(body: Data("<html>".utf8)))
            },
            StoreConformance.Damage("a service that has gone") { url in service(at: url)?.server.stop() },
        ]
        return conformance
    }()

    @Test(arguments: conformance.rules)
    func keeps(_ rule: StoreRule) throws { try Self.conformance.check(rule) }
}
