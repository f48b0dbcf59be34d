import Foundation

/// Reads XML from untrusted bytes into a tree.
///
/// There is no document type with entities, no external entity and no other encoding than UTF-8, so nothing outside
/// the bytes is looked at and nothing expands. Nesting and size are limited. That is all that Xcode's files need.
package struct XMLTreeParser {
    /// No model, mapping model or property list of Apple's tools comes near these.
    private static let maximumDepth = 128
    private static let maximumSize = 256 << 20
    private static let maximumAttributeCount = 256

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    /// Where the line begins in the bytes.
    private var lineStart = 0

    /// Reads a document and returns its outermost element.
    package static func parse(_ data: Data) throws -> XMLTree {
        guard data.count <= maximumSize else {
            throw ModelFileError(.tooLarge, "the XML has more than \(maximumSize >> 20) megabytes")
        }
        guard String(validating: data, as: UTF8.self) != nil else {
            throw ModelFileError(.malformed, "the XML is not in UTF-8")
        }
        var parser = XMLTreeParser(bytes: [UInt8](data))
        return try parser.document()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            position = 3
            lineStart = 3
        }
    }

    private mutating func document() throws -> XMLTree {
        var root: XMLTree?
        var open: [XMLTree] = []
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                let text = try characterData(until: UInt8(ascii: "<"))
                if let element = open.last {
                    element.text += text
                } else if !text.trimmed.isEmpty {
                    throw malformed("there is text outside of the elements")
                }
            } else if skip("<!--") {
                _ = try consume(until: "-->")
            } else if skip("<?") {
                _ = try consume(until: "?>")
            } else if skip("<![CDATA[") {
                let text = try consume(until: "]]>")
                guard let element = open.last else { throw malformed("there is text outside of the elements") }
                element.text += text
            } else if skip("<!DOCTYPE") {
                guard root == nil else { throw malformed("the document type is not at the beginning") }
                let type = try consume(until: ">")
                guard !type.utf8.contains(UInt8(ascii: "[")) else {
                    throw malformed("it declares entities, which model files have no use for")
                }
            } else if skip("</") {
                let name = try self.name()
                skipSpace()
                guard skip(">"), let element = open.popLast(), element.name == name else {
                    throw malformed("the end of \"\(name)\" has no beginning")
                }
            } else {
                position += 1
                let (element, isEmpty) = try startTag()
                if let parent = open.last {
                    parent.children.append(element)
                } else if root == nil {
                    root = element
                } else {
                    throw malformed("there is more than one outermost element")
                }
                if !isEmpty { open.append(element) }
                guard open.count <= Self.maximumDepth else {
                    throw ModelFileError(
                        .tooLarge, "the XML is nested more than \(Self.maximumDepth) levels deep", position: here)
                }
            }
        }
        guard open.isEmpty, let root else { throw malformed("it ends too early") }
        return root
    }

    private mutating func startTag() throws -> (element: XMLTree, isEmpty: Bool) {
        // The name's, behind the angle bracket.
        let start = TextPosition(line: line, column: here.column - 1)
        let name = try self.name()
        var attributes: [(name: String, value: String)] = []
        while true {
            skipSpace()
            if skip("/>") { return (XMLTree(name, attributes: attributes, position: start), true) }
            if skip(">") { return (XMLTree(name, attributes: attributes, position: start), false) }
            let attribute = try self.name()
            skipSpace()
            guard skip("=") else { throw malformed("the attribute \"\(attribute)\" has no value") }
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
            else { throw malformed("the value of \"\(attribute)\" has no quotes") }
            let quote = bytes[position]
            position += 1
            let value = try characterData(until: quote)
            guard position < bytes.count else { throw malformed("it ends too early") }
            position += 1
            if attributes.contains(where: { $0.name == attribute }) {
                throw malformed("the attribute \"\(attribute)\" occurs twice")
            }
            attributes.append((attribute, value))
            guard attributes.count <= Self.maximumAttributeCount else {
                throw ModelFileError(.tooLarge, "the element \"\(name)\" has too many attributes", position: here)
            }
        }
    }

    private mutating func name() throws -> String {
        let start = position
        while position < bytes.count, Self.isNameByte(bytes[position]) { position += 1 }
        guard position > start else { throw malformed("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// Text up to the byte, with references replaced.
    private mutating func characterData(until end: UInt8) throws -> String {
        var result: [UInt8] = []
        while position < bytes.count, bytes[position] != end {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "&"): result += try reference()
            case UInt8(ascii: "<"): throw malformed("an attribute contains \"<\"")
            default:
                result.append(byte)
                position += 1
                if byte == UInt8(ascii: "\n") { beginLine() }
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func reference() throws -> String.UTF8View {
        position += 1
        let start = position
        while position < bytes.count, position - start < 12, bytes[position] != UInt8(ascii: ";") { position += 1 }
        let name = String(decoding: bytes[start..<position], as: UTF8.self)
        guard skip(";") else { throw malformed("a reference does not end") }
        switch name {
        case "lt": return "<".utf8
        case "gt": return ">".utf8
        case "amp": return "&".utf8
        case "quot": return "\"".utf8
        case "apos": return "'".utf8
        default:
            let number =
                name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(1), radix: 10)
            guard name.hasPrefix("#"), let scalar = number.flatMap(Unicode.Scalar.init) else {
                throw malformed("the entity \"\(name)\" is unknown")
            }
            return String(Character(scalar)).utf8
        }
    }

    private mutating func consume(until end: String) throws -> String {
        let start = position
        while position < bytes.count {
            let stop = position
            if skip(end) { return String(decoding: bytes[start..<stop], as: UTF8.self) }
            position += 1
            if bytes[position - 1] == UInt8(ascii: "\n") { beginLine() }
        }
        throw malformed("it ends too early")
    }

    private mutating func skip(_ text: String) -> Bool {
        var ahead = position
        for byte in text.utf8 {
            guard ahead < bytes.count, bytes[ahead] == byte else { return false }
            ahead += 1
        }
        position = ahead
        return true
    }

    private mutating func beginLine() {
        line += 1
        lineStart = position
    }

    private var here: TextPosition { TextPosition(line: line, column: position - lineStart + 1) }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0D, 0x0A].contains(bytes[position]) {
            position += 1
            if bytes[position - 1] == 0x0A { beginLine() }
        }
    }

    private func malformed(_ what: String) -> ModelFileError {
        ModelFileError(.malformed, "the XML is damaged: \(what)", position: here)
    }
}
