import Foundation
import FoundationCompat

/// Dates as XML property lists have them: in whole seconds, of the years that Foundation on Linux reads again.
package enum XMLPropertyListDate {
    package static func text(of date: Date) -> String { date.formatted(.iso8601) }

    static func date(_ text: String) -> Date? {
        // What isn't a date is none.
        try? Date(text, strategy: .iso8601)
    }

    /// Whether a date comes back, but for its fraction. Foundation prints another one for what its calendar can't count.
    package static func holds(_ date: Date) -> Bool {
        guard PrintedValue.isDescribable(date) else { return false }
        return self.date(text(of: date)).map { abs($0.timeIntervalSince(date)) < 1 } ?? false
    }
}
