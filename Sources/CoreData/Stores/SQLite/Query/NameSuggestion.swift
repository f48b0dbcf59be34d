/// Finds the name that somebody probably meant.
enum NameSuggestion {
    /// The candidate with the smallest edit distance, if it is near enough to be a slip rather than another word.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        let limit = max(1, name.count / 3)
        let ranked = candidates.map { (distance: distance(name.lowercased(), $0.lowercased()), name: $0) }
        return ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }

    /// Levenshtein's distance. Time is the product of the lengths, so long names are cut.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.prefix(64))
        let right = Array(right.prefix(64))
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let substituted = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, diagonal + 1, row[j] + 1)
            }
        }
        return row[right.count]
    }
}
