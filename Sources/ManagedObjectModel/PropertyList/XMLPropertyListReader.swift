import Foundation

/// Reads XML property lists from untrusted bytes.
package enum XMLPropertyListReader {
    static func read(_ data: Data) throws -> PropertyListNode {
        let root = try XMLTreeParser.parse(data)
        guard root.name == "plist", let value = root.children.first, root.children.count == 1 else {
            throw ModelFileError(.malformed, "this is not a property list", position: root.position)
        }
        return try node(value)
    }

    /// The recursion is bounded by the parser, which limits nesting.
    package static func node(_ element: XMLTree) throws -> PropertyListNode {
        switch element.name {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "string": return .string(element.text)
        case "integer":
            let text = element.text.trimmed
            if let value = Int(text) { return .integer(value) }
            guard let value = UInt64(text) else { throw malformed("an integer is no number", element) }
            return .unsigned(value)
        case "real":
            guard let value = Double(element.text.trimmed) else { throw malformed("a real is no number", element) }
            return .real(value)
        case "date":
            guard let value = XMLPropertyListDate.date(element.text.trimmed) else {
                throw malformed("a date is none", element)
            }
            return .date(value)
        case "data":
            let text = element.text.trimmed
            // Foundation on Linux makes nothing of white space alone.
            guard let value = text.isEmpty ? Data() : Data(base64Encoded: text, options: .ignoreUnknownCharacters)
            else {
                throw malformed("data is not in base64", element)
            }
            return .data(value)
        case "array": return .array(try element.children.map(node))
        case "dict": return try dictionary(element)
        default: throw malformed("the element \"\(element.name)\" is unknown", element)
        }
    }

    private static func dictionary(_ element: XMLTree) throws -> PropertyListNode {
        var result: [String: PropertyListNode] = [:]
        var key: String?
        for child in element.children {
            if let name = key {
                result[name] = try node(child)
                key = nil
            } else if child.name == "key" {
                key = child.text
            } else {
                throw malformed("a key is missing", child)
            }
        }
        guard key == nil else { throw malformed("the last key has no value", element) }
        // Keyed archives spell UIDs as dictionaries in XML.
        if result.count == 1, case .integer(let uid)? = result["CF$UID"], uid >= 0 { return .uid(uid) }
        return .dictionary(result)
    }

    private static func malformed(_ what: String, _ element: XMLTree) -> ModelFileError {
        ModelFileError(.malformed, "the property list is damaged: \(what)", position: element.position)
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
