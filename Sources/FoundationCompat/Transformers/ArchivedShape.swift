import Foundation

/// How a value that is to be archived is built. Foundation's archiver on Linux compares collections with all that they hold, so
/// the time that it takes multiplies with each level and with each place that leads to the same collection.
package struct ArchivedShape {
    /// How many levels there are; 1 for what is no collection.
    package private(set) var height = 1
    /// How many collections there are where each place has a copy of its own.
    package private(set) var unfoldedCount = 0
    package private(set) var containsDecimal = false
    private var united = UnitedValues()
    private var distinctCount = 0

    /// - Throws: ``CheckedArchiver/Failure`` for what can't be archived: collections that are too many, too deep, or in
    ///   themselves.
    package init(_ value: Any) throws {
        var survey = Survey()
        let measure = try survey.measure(value, depth: 1)
        height = measure.height
        unfoldedCount = measure.collections
        containsDecimal = survey.containsDecimal
        united = survey.united
        distinctCount = survey.seen.count
        if isShared, unfoldedCount > Self.maximumSharedCount { throw Self.tooMany }
    }

    private var isShared: Bool { unfoldedCount > 4 * distinctCount + Self.easyCount }

    /// Whether Foundation's archiver would take noticeably longer than the value is big, or would never end.
    package var overtaxesFoundation: Bool {
        containsDecimal || united.hasTexts || united.hasNumbers || height > Self.easyHeight || isShared
    }

    /// Why Foundation's archiver would write something else than the value; nil where it wouldn't.
    package var change: String? { united.change }

    /// Whether it ends within seconds all the same.
    package var isBearable: Bool {
        united.change == nil && height <= 2 * Self.easyHeight && unfoldedCount <= Self.easyCount
    }

    private static let easyHeight = 8
    private static let easyCount = 1000
    private static let maximumCount = 4_000_000
    /// A collection that several others lead to is written as often as that.
    private static let maximumSharedCount = 100_000

    private static let tooMany = CheckedArchiver.Failure(
        description: "its collections lead to others again and again, to hundreds of thousands in all")

    private struct Survey {
        var seen: [ObjectIdentifier: (object: AnyObject, measure: Measure)] = [:]
        var containsDecimal = false
        var united = UnitedValues()
        var visits = 0

        struct Measure {
            var height = 1
            var collections = 0
        }

        mutating func measure(_ value: Any, depth: Int) throws -> Measure {
            if value is NSDecimalNumber { containsDecimal = true }
            united.note(value)
            let object = value as AnyObject
            if let known = seen[ObjectIdentifier(object)]?.measure {
                try requireDepth(depth + known.height - 1)
                return known
            }
            guard let elements = Elements(object) else { return Measure() }
            try requireDepth(depth + 1)
            visits += 1
            var measure = Measure(height: 1, collections: 1)
            func add(_ part: Measure) throws {
                measure.height = max(measure.height, part.height)
                measure.collections += part.collections
                guard measure.collections <= maximumCount else { throw tooMany }
            }
            if let dictionary = object as? NSDictionary {
                for key in dictionary.allKeys { try add(self.measure(key, depth: depth + 1)) }
            }
            for element in elements.values { try add(self.measure(element, depth: depth + 1)) }
            measure.height += 1
            seen[ObjectIdentifier(object)] = (object, measure)
            return measure
        }

        private func requireDepth(_ depth: Int) throws {
            guard depth <= SecureArchive.maximumDepth, visits <= maximumCount else {
                throw CheckedArchiver.Failure(description: "it has collections within collections, too deep")
            }
        }
    }
}
