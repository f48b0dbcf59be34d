import CoreDataStoreTesting
import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("A store in a PostgreSQL database")
struct ConformanceTests {
    static let conformance: StoreConformance = {
        var conformance = StoreConformance(storeType: NSPostgreSQLStoreType)
        conformance.takesReservations = false
        conformance.isShared = true
        conformance.worksWithoutURL = false
        conformance.place = { try TestServer.shared.url(schema: schema(for: $0)) }
        conformance.breakSaving = { url in
            let schema = try PostgreSQLAddress(url).schema
            try TestServer.shared.execute("ALTER SCHEMA \"\(schema)\" RENAME TO \"\(schema)_away\"", in: "public")
            return {
                try TestServer.shared.execute("ALTER SCHEMA \"\(schema)_away\" RENAME TO \"\(schema)\"", in: "public")
            }
        }
        conformance.damages = [
            StoreConformance.Damage("metadata that are none") { url in
                try TestServer.shared.execute(
                    "UPDATE \"_store\" SET metadata = 'none'::bytea", in: try PostgreSQLAddress(url).schema)
            },
            StoreConformance.Damage("a table that is missing") { url in
                try TestServer.shared.execute("DROP TABLE \"_entities\"", in: try PostgreSQLAddress(url).schema)
            },
        ]
        return conformance
    }()

    /// The same for the same folder, which is the rule's own.
    private static func schema(for folder: URL) -> String {
        "f"
            + folder.path.utf8.reduce(into: UInt64(14_695_981_039_346_656_037)) {
                $0 = ($0 ^ UInt64($1)) &* 1_099_511_628_211
            }
            .description
    }

    @Test("keeps every rule that stores are held to", arguments: conformance.rules)
    func keeps(_ rule: StoreRule) throws {
        _ = try TestServer.shared
        try Self.conformance.check(rule)
    }
}
