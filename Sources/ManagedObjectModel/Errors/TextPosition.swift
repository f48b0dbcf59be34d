/// Where something begins in a text file.
package struct TextPosition: Hashable, Sendable {
    /// From 1.
    package let line: Int
    /// In bytes, from 1.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
