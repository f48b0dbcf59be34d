import CoreData
import Foundation
import Synchronization

/// The statements that a store runs, so that a test can say how many there were.
final class StatementRecord: Sendable {
    private let statements = Mutex<[ExecutedStatement]>([])

    var observer: StatementObserver {
        StatementObserver { [self] statement in statements.withLock { $0.append(statement) } }
    }

    /// The queries over tables of objects that ran since the last call.
    func takeQueries() -> [String] {
        statements.withLock { statements in
            defer { statements = [] }
            return statements.map(\.sql).filter { $0.hasPrefix("SELECT") && $0.contains("t0.Z_PK") }
        }
    }
}
