import CoreDataRows
import Foundation
import Synchronization

/// Reports what is saved into a store, by LISTEN on a connection of its own.
///
/// A store that is opened with the option for remote changes tells of its saves by NOTIFY, in the transaction. Only such stores do:
/// the server makes transactions that notify commit one after the other.
final class PostgreSQLChangeWatcher: Sendable {
    private let address: PostgreSQLAddress
    private let report: @Sendable (Int64?) -> Void
    private let isStopped = Atomic(false)

    /// For how long to wait for a notification before looking whether the store was closed.
    private static let pause: Int32 = 500
    /// For how long to wait, in seconds, before a connection that was lost is made anew.
    private static let reconnection = 1.0

    /// The name under which saves into the store of a schema are told.
    static func channel(_ schema: String) -> String { PostgreSQLName.fitting("OpenCoreData." + schema) }

    /// Listens from now on.
    ///
    /// - Throws: ``PostgreSQLFailure``.
    init(_ address: PostgreSQLAddress, _ report: @escaping @Sendable (Int64?) -> Void) throws {
        self.address = address
        self.report = report
        let connection = try Self.listen(address)
        let thread = Thread { [weak self] in
            var current: PostgreSQLConnection? = connection
            while let self, !self.isStopped.load(ordering: .relaxed) { self.step(&current) }
        }
        thread.name = "CoreData.PostgreSQLChangeWatcher"
        thread.start()
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    private static func listen(_ address: PostgreSQLAddress) throws -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address, timeout: PostgreSQLPool.defaultTimeout)
        try connection.executeScript("LISTEN \(.quoted(channel(address.schema)))")
        return connection
    }

    private func step(_ connection: inout PostgreSQLConnection?) {
        do {
            guard let current = connection else {
                connection = try Self.listen(address)
                // Saves in the meantime have sent no notification.
                return report(nil)
            }
            let told = try current.waitForNotifications(milliseconds: Self.pause)
            guard !told.isEmpty, !isStopped.load(ordering: .relaxed) else { return }
            // Transactions that notify commit one after the other, so the last one has the highest number.
            report(told.compactMap { Int64($0) }.max())
        } catch {
            if connection != nil {
                CoreDataLog.write(
                    "\(address.description): the connection that listens for saves was lost, and is made anew",
                    atLevel: 0)
            }
            connection = nil
            Thread.sleep(forTimeInterval: Self.reconnection)
        }
    }
}
