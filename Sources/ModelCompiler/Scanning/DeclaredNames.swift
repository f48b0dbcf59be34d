import CByteSearch

/// Finds the names of the types that a source declares without parsing it: a debug build's parser takes a minute and more for what a
/// program depends on.
///
/// It finds every type's, and takes some words in comments and strings for names as well.
package enum DeclaredNames {
    private static let keywords = ["struct", "class", "enum", "actor", "protocol", "typealias"]

    /// The words that follow a type's keyword in a text.
    package static func all(in text: String) -> Set<String> {
        var text = text
        return text.withUTF8 { bytes in
            keywords.reduce(into: []) { $0.formUnion(names(after: $1, in: UnsafeRawBufferPointer(bytes))) }
        }
    }

    private static func names(after keyword: String, in text: UnsafeRawBufferPointer) -> [String] {
        var names: [String] = []
        var rest = text[...]
        while let end = endOfNext(keyword, in: rest, of: text) {
            rest = text[end...]
            guard let name = name(at: rest) else { continue }
            names.append(name)
        }
        return names
    }

    /// Where the next occurrence of a keyword as a word of its own ends.
    private static func endOfNext(
        _ keyword: String, in rest: Slice<UnsafeRawBufferPointer>, of text: UnsafeRawBufferPointer
    ) -> Int? {
        guard let base = text.baseAddress else { return nil }
        var start = rest.startIndex
        while let found = find_bytes(base + start, text.count - start, keyword, keyword.utf8.count) {
            let place = found - base
            start = place + keyword.utf8.count
            if place == 0 || !isOfName(text[place - 1]) { return start }
        }
        return nil
    }

    /// The name behind a keyword, with the space between them; nil where none follows.
    private static func name(at rest: Slice<UnsafeRawBufferPointer>) -> String? {
        let name = rest.drop(while: isSpace)
        guard name.startIndex > rest.startIndex else { return nil }
        let bytes = name.first == UInt8(ascii: "`") ? name.dropFirst() : name
        let word = bytes.prefix(while: isOfName)
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a byte can be one of a name's: every letter beyond ASCII counts as one.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}
