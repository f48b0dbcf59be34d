/// Finds the known name that is closest to a misspelt one.
package enum Suggestion {
    package static func nearest(to name: String, among names: [String]) -> String? {
        let wanted = Array(name.lowercased())
        let limit = max(1, wanted.count / 3)
        return names.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
            .filter { $0.distance <= limit }
            .min { $0.distance < $1.distance }?.name
    }

    /// The number of letters to change, add or drop.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let above = row[j + 1]
                row[j + 1] = a == b ? diagonal : 1 + min(diagonal, above, row[j])
                diagonal = above
            }
        }
        return row[right.count]
    }
}
