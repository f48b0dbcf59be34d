/// The names that Swift's methods have in Objective-C.
package enum SelectorName {
    /// The selector of a method, as Swift's compiler makes it.
    ///
    /// - Parameter labels: those of the parameters; nil for "_".
    package static func exported(_ name: String, labels: [String?]) -> String {
        guard let first = labels.first else { return name }
        let rest = labels.dropFirst().map { ($0 ?? "") + ":" }.joined()
        guard let label = first else { return name + ":" + rest }
        // A label that doesn't begin with a preposition, behind a name that doesn't end with one, comes after "With".
        let words = (last: words(of: name).last ?? "", first: self.words(of: label).first ?? "")
        let isJoined = prepositions.contains(words.first) || prepositions.contains(words.last)
        return name + (isJoined ? "" : "With") + label.prefix(1).uppercased() + label.dropFirst() + ":" + rest
    }

    /// The words of a name, in lower case: "toUnit" has two.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        var isInCapitals = false
        for character in name {
            let isCapital = character.isUppercase
            if words.isEmpty || isCapital && !isInCapitals { words.append("") }
            words[words.count - 1] += character.lowercased()
            isInCapitals = isCapital
        }
        return words
    }

    private static let prepositions: Set<String> = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from",
        "given", "in",
        "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until", "using",
        "via",
        "when", "with", "within",
    ]
}
