import CoreData
import CoreDataStoreTesting
import Foundation
import Synchronization
import WebStore

/// The services of one rule's stores, by the folders that the rule has for them.
final class TrialServices: Sendable {
    private let services = Mutex<[URL: LibraryService]>([:])

    /// Ends the services, and the threads that they answer on.
    func stop() {
        let all = services.withLock { services in
            defer { services = [:] }
            return Array(services.values)
        }
        for service in all { service.server.stop() }
    }

    private func url(for folder: URL) throws -> URL {
        try services.withLock { services in
            if let service = services[folder] { return service.server.url }
            let service = try LibraryService()
            services[folder] = service
            return service.server.url
        }
    }

    private func service(at url: URL) -> LibraryService? {
        services.withLock { services in services.values.first { $0.server.url == url } }
    }

    var conformance: StoreConformance {
        var conformance = StoreConformance(storeClass: WebStore.self, storeType: WebStore.storeType)
        conformance.isShared = true
        conformance.worksWithoutURL = false
        conformance.takesReservations = false
        conformance.hasMetadataWithoutStack = false
        conformance.migratesWhereItLies = false
        conformance.place = { try self.url(for: $0) }
        conformance.breakSaving = { url in
            self.service(at: url)?.answerAlways(LoopbackServer.Response(status: 503))
            return { self.service(at: url)?.answerAlways(nil) }
        }
        conformance.damages = [
            StoreConformance.Damage("a service that answers something else") { url in
                self.service(at: url)?.answerAlways(LoopbackServer.Response(body: Data("<html>".utf8)))
            },
            StoreConformance.Damage("a service that has gone") { url in self.service(at: url)?.server.stop() },
        ]
        return conformance
    }
}
