import Foundation

/// Values as texts for people, where a file or a program may have any: Foundation on Linux ends the program when it describes a date
/// whose seconds are no number, or more than its calendar can count.
package enum PrintedValue {
    /// As Foundation describes the value, and something else where that would end the program.
    package static func text(of value: Any) -> String {
        if let date = value as? Date, !isDescribable(date) {
            return "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
        }
        return isDescribable(value) ? "\(value)" : "<\(type(of: value))>"
    }

    /// Foundation describes as much, though far from our time in general words only.
    private static let greatestInterval = 1e15

    /// Whether Foundation prints a date without ending the program.
    package static func isDescribable(_ date: Date) -> Bool {
        date.timeIntervalSinceReferenceDate.magnitude < greatestInterval
    }

    private static func isDescribable(_ value: Any) -> Bool {
        if let date = value as? Date { return isDescribable(date) }
        guard let elements = Elements(value) else { return true }
        let keys = (value as? NSDictionary)?.allKeys ?? (value as? [AnyHashable: Any])?.keys.map(\.base) ?? []
        return elements.values.allSatisfy(isDescribable) && keys.allSatisfy(isDescribable)
    }
}
