@_spi(Engine) import CoreDataRows
import Foundation

extension SQLHistoryTables {
    /// Which transactions are in a range, over the alias t0.
    ///
    /// - Parameter store: the store's UUID, which the range's numbers are of.
    package func condition(_ range: HistoryRange, of store: String) -> SQLCondition {
        switch range {
        case .all: return .always
        case .none: return .never
        case .after(let numbers):
            // A store that joined the coordinator after the token was made is read from the beginning.
            guard let number = numbers[store] else { return .always }
            return .sql("t0.\(transactionKey) > \(bind: .int(number))")
        case .before(let numbers):
            guard let number = numbers[store] else { return .never }
            return .sql("t0.\(transactionKey) < \(bind: .int(number))")
        case .afterDate(let date):
            return .sql("t0.\(timestamp) > \(bind: .double(date.timeIntervalSinceReferenceDate))")
        case .beforeDate(let date):
            return .sql("t0.\(timestamp) < \(bind: .double(date.timeIntervalSinceReferenceDate))")
        }
    }
}
