/// Prints keys as a format string can have them.
enum KeyPrinter {
    /// With a `#` before a reserved word; nil for a key that isn't made like a word.
    static func text(of key: String) -> String? {
        let isOperator = key.hasPrefix("@")
        let word = isOperator ? String(key.dropFirst()) : key
        guard let first = word.unicodeScalars.first, Tokenizer.startsWord(first),
            word.unicodeScalars.allSatisfy(Tokenizer.continuesWord)
        else { return nil }
        return !isOperator && Keyword(word: word) != nil ? "#" + key : key
    }
}
