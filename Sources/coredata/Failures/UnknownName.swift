/// Finds the name that somebody probably meant.
enum NearestName {
    /// A sentence to append to an error about an unknown name: "Did you mean X?", or else what there is.
    static func hint(for name: String, among candidates: [String]) -> String {
        if let nearest = nearest(to: name, among: candidates) {
            return " Did you mean \(nearest)?"
        }
        return candidates.isEmpty ? "" : " There are: \(candidates.sorted().joined(separator: ", "))."
    }

    /// The candidate that differs least, if it differs by no more than a third of its letters (at least two).
    static func nearest(to name: String, among candidates: [String]) -> String? {
        let wanted = Array(name.lowercased())
        let ranked = candidates.map { (name: $0, distance: distance(wanted, Array($0.lowercased()))) }
        guard let best = ranked.min(by: { ($0.distance, $0.name) < ($1.distance, $1.name) }) else { return nil }
        return best.distance <= max(2, wanted.count / 3) ? best.name : nil
    }

    /// Levenshtein's distance: how many letters to insert, delete or replace.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, leftCharacter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, rightCharacter) in right.enumerated() {
                let replaced = diagonal + (leftCharacter == rightCharacter ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
