/// Finds what somebody may have meant.
package enum Spelling {
    /// The candidate that is at most a third of its letters away from a word; nil where there is none.
    package static func nearest(to word: String, among candidates: [String]) -> String? {
        // Longer words are no slips; comparing them would only cost time.
        guard word.count <= 64 else { return nil }
        let letters = Array(word.lowercased())
        return
            candidates
            .map { (candidate: $0, distance: distance(letters, Array($0.lowercased()))) }
            .filter { $0.distance <= max(1, $0.candidate.count / 3) }
            .min { $0.distance < $1.distance }?
            .candidate
    }

    /// How many letters have to be put in, taken out or exchanged.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let substituted = diagonal + (letter == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
