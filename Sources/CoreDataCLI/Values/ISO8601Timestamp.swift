import Foundation

/// Dates as text: ISO 8601 in UTC with as many fractional digits, at least three, as it takes to read the same
/// date back. Foundation's formatters stop at milliseconds, and stores hold finer dates.
enum ISO8601Timestamp {
    private static let secondsPerDay = 86_400
    /// 2001-01-01, from which `Date` counts, in days since 1970-01-01.
    private static let referenceDay = 11_323
    /// Beyond it a date has no sensible calendar form.
    private static let largestMagnitude = 1e15

    static func string(from date: Date) -> String {
        let interval = date.timeIntervalSinceReferenceDate
        guard abs(interval) < largestMagnitude else { return "\(interval) seconds since 2001-01-01" }
        for digits in 3...9 {
            let (second, fraction) = split(interval, digits: digits)
            let scale = pow(10, Double(digits))
            let difference = abs(Double(second) + Double(fraction) / scale - interval)
            if digits == 9 || difference < 1e-10 {
                return calendarText(second: second) + "." + padded(fraction, digits) + "Z"
            }
        }
        return ""
    }

    /// Reads `2024-05-31`, `2024-05-31T16:00`, `2024-05-31T16:00:00.25Z` and `…+02:00`; without a zone it's UTC.
    static func date(from text: String) -> Date? {
        let form = /([+-]?\d{4,9})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?/
        // The form converts nothing while it matches, so it has no error to throw.
        guard let match = try? form.wholeMatch(in: text)?.output,
            let year = Int(match.1), let month = Int(match.2), (1...12).contains(month),
            let day = Int(match.3), (1...daysIn(month: month, year: year)).contains(day)
        else { return nil }
        let hour = match.4.flatMap { Int($0) } ?? 0
        let minute = match.5.flatMap { Int($0) } ?? 0
        let second = match.6.flatMap { Int($0) } ?? 0
        guard hour < 24, minute < 60, second < 60, let offset = zoneOffset(match.8) else { return nil }
        let days = daysSince1970(year: year, month: month, day: day) - referenceDay
        let seconds = days * secondsPerDay + hour * 3600 + minute * 60 + second - offset
        let fraction = match.7.flatMap { Double("0" + $0) } ?? 0
        return Date(timeIntervalSinceReferenceDate: Double(seconds) + fraction)
    }

    private static func split(_ interval: Double, digits: Int) -> (second: Int, fraction: Int) {
        let scale = Int(pow(10, Double(digits)))
        let whole = interval.rounded(.down)
        let fraction = Int(((interval - whole) * Double(scale)).rounded())
        return fraction == scale ? (Int(whole) + 1, 0) : (Int(whole), fraction)
    }

    private static func calendarText(second: Int) -> String {
        let days = Int((Double(second) / Double(secondsPerDay)).rounded(.down))
        let rest = second - days * secondsPerDay
        let (year, month, day) = civil(daysSince1970: days + referenceDay)
        // ISO 8601 wants a sign for years of more than four digits.
        let date =
            (year < 0 ? "-" : year > 9999 ? "+" : "") + padded(abs(year), 4) + "-" + padded(month, 2) + "-"
            + padded(day, 2)
        return date + "T" + padded(rest / 3600, 2) + ":" + padded(rest / 60 % 60, 2) + ":" + padded(rest % 60, 2)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Seconds east of UTC; nil where the text is no zone.
    private static func zoneOffset(_ text: Substring?) -> Int? {
        guard let text, text != "Z" else { return 0 }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24, minutes < 60
        else { return nil }
        return (text.hasPrefix("-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    // The proleptic Gregorian calendar, whose pattern repeats every 400 years (146,097 days). Years are counted
    // from March, so that the leap day is the last of its year.

    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func daysIn(month: Int, year: Int) -> Int {
        let next = month == 12 ? (year: year + 1, month: 1) : (year: year, month: month + 1)
        return daysSince1970(year: next.year, month: next.month, day: 1)
            - daysSince1970(year: year, month: month, day: 1)
    }
}
