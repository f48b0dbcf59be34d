/// The numbers that keep the order of a relationship (in a SQLite store `Z_FOK_…`).
///
/// Apple's framework begins with 2048, goes on in steps of 1024 and uses the gaps for what comes between
/// (seen in DuckDuckGo and Photos stores); nothing is below 1.
package enum OrderKeys {
    package static let first: Int64 = 2048
    package static let step: Int64 = 1024

    /// Numbers that rise along the places of an order, with as few changed ones as possible.
    ///
    /// - Parameter existing: the present numbers in the new order; nil for what has none yet.
    /// - Returns: the numbers in the new order. All are new where a gap is too narrow.
    ///
    /// O(n log n).
    package static func assign(_ existing: [Int64?]) -> [Int64] {
        let kept = longestRise(existing)
        var result: [Int64] = []
        result.reserveCapacity(existing.count)
        var below: Int64 = 0
        var start = 0
        for place in kept + [existing.count] {
            let above = place < existing.count ? existing[place] : nil
            guard let numbers = numbers(count: place - start, below: below, above: above) else {
                return existing.indices.map { first + Int64($0) * step }
            }
            result += numbers
            if let above {
                result.append(above)
                below = above
            }
            start = place + 1
        }
        return result
    }

    /// So many numbers between two; nil where they don't fit.
    private static func numbers(count: Int, below: Int64, above: Int64?) -> [Int64]? {
        let count = Int64(count)
        guard count > 0 else { return [] }
        guard let above else {
            guard below < Int64.max - (count + 1) * step else { return nil }
            let start = below == 0 ? first : below + step
            return (0..<count).map { start + $0 * step }
        }
        let gap = (above - below) / (count + 1)
        guard gap > 0 else { return nil }
        return (1...count).map { below + $0 * gap }
    }

    /// The places of a longest run of numbers that rise.
    private static func longestRise(_ numbers: [Int64?]) -> [Int] {
        /// The place that ends the lowest rise of each length.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (place, number) in numbers.enumerated() {
            guard let number, number > 0 else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if let end = numbers[ends[middle]], end < number { low = middle + 1 } else { high = middle }
            }
            previous[place] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(place) } else { ends[low] = place }
        }
        var result: [Int] = []
        var place = ends.last
        while let current = place {
            result.append(current)
            place = previous[current]
        }
        return result.reversed()
    }
}
