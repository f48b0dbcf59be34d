import CoreDataSQLite
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("A watcher of changes whose file can't be opened")
struct WatcherRetryTests {
    @Test("tries again, and reports when it can")
    func retry() async throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try StoreStack(url, model: Library.model()).close()
        let file = try #require(try SQLiteFile.openForWriting(url))
        defer { try? file.close() }
        let away = folder.url.appendingPathComponent("Away.sqlite")
        try FileManager.default.moveItem(at: url, to: away)
        let reports = Mutex(0)
        let watcher = try #require(file.watch { _ in reports.withLock { $0 += 1 } })
        defer { watcher.stop() }
        try await Task.sleep(for: .milliseconds(200))
        #expect(reports.withLock { $0 } == 0)
        try FileManager.default.moveItem(at: away, to: url)
        let limit = Date(timeIntervalSinceNow: 20)
        while reports.withLock({ $0 }) == 0, Date() < limit { try await Task.sleep(for: .milliseconds(50)) }
        #expect(reports.withLock { $0 } > 0)
    }
}
