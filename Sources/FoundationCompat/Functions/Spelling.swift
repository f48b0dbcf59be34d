/// Finds the name that was probably meant.
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

    /// How many letters have to be put in, taken out, exchanged, or swapped with their neighbour.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var row = [index + 1]
            for (column, other) in right.enumerated() {
                var least = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, row[column] + 1)
                if index > 0, column > 0, letter == right[column - 1], left[index - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                row.append(least)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
