/// A key path that was split once, when it was made, so that evaluating it on many objects costs no parsing.
package struct ParsedKeyPath: Sendable, Hashable {
    /// The path as it was written, with dots.
    package let string: String
    /// The keys in order; one that begins with `@` is a collection operator.
    package let keys: [String]

    package init(_ string: String) {
        self.string = string
        // Most have one key, and splitting costs thousands of instructions.
        keys =
            string.utf8.contains(UInt8(ascii: "."))
            ? string.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [string]
    }

    package init(keys: [String]) {
        string = keys.joined(separator: ".")
        self.keys = keys
    }

    package var isSingleKey: Bool {
        keys.count == 1
    }
}
