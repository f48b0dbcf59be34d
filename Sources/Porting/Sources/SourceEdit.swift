/// A replacement of a part of a text.
struct SourceEdit {
    /// What is replaced, in bytes of UTF-8.
    let range: Range<Int>
    let replacement: String

    init(_ range: Range<Int>, _ replacement: String) {
        self.range = range
        self.replacement = replacement
    }

    /// Something new before a byte.
    init(insert text: String, at offset: Int) {
        self.init(offset..<offset, text)
    }

    /// The text after all edits. Those at one place are made in the order given; where two overlap, the first counts.
    static func apply(_ edits: [SourceEdit], to bytes: [UInt8]) -> String {
        let ordered = edits.enumerated().sorted {
            ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
        }
        var result: [UInt8] = []
        var position = 0
        for edit in ordered.map(\.element) where edit.range.lowerBound >= position {
            result += bytes[position..<edit.range.lowerBound]
            result += edit.replacement.utf8
            position = edit.range.upperBound
        }
        result += bytes[position...]
        return String(decoding: result, as: UTF8.self)
    }

    /// Where a byte of the original is after all edits; of one that is replaced, where its replacement begins.
    static func offset(_ offset: Int, after edits: [SourceEdit]) -> Int {
        edits.reduce(offset) { result, edit in
            guard edit.range.lowerBound <= offset, edit.range.isEmpty || edit.range.upperBound <= offset else {
                return edit.range.contains(offset) ? result + edit.range.lowerBound - offset : result
            }
            return result + edit.replacement.utf8.count - edit.range.count
        }
    }
}
