import enum FoundationCompat.Spelling

/// What to say about a name that there isn't.
enum UnknownName {
    /// A sentence to append to the error: "Did you mean X?", or else what there is.
    static func hint(for name: String, among candidates: [String]) -> String {
        if let nearest = Spelling.nearest(to: name, among: candidates) {
            return " Did you mean \(nearest)?"
        }
        return candidates.isEmpty ? "" : " There are: \(candidates.sorted().joined(separator: ", "))."
    }
}
