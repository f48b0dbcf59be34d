import Foundation

/// The properties that a key path goes through, one after the other.
///
/// A key path can't be taken apart, but it describes itself: a computed property by the address of its getter, which no other
/// property has, a stored one by its name, and between them what becomes of optional values.
struct KeyPathParts: RandomAccessCollection {
    /// A property, as the key path describes it.
    struct Part: Hashable {
        let text: Substring

        /// The name of a stored property; nil for one that is computed.
        var plainName: String? { text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(text) : nil }
    }

    private var parts: [Part] = []

    /// Takes a key path apart; gives no parts where it holds anything but properties of properties.
    init(of keyPath: AnyKeyPath) {
        let text = keyPath.debugDescription
        let root = "\\" + String(describing: type(of: keyPath).rootType) + "."
        guard text.hasPrefix(root) else { return }
        var rest = text.dropFirst(root.count)
        while !rest.isEmpty {
            guard let part = Self.consumePart(&rest) else {
                parts = []
                return
            }
            parts.append(part)
        }
    }

    /// A property with the marks of optional values behind it and the dot before the next one.
    private static func consumePart(_ rest: inout Substring) -> Part? {
        guard
            let end = rest.first == "<" ? endOfComputed(rest) : rest.firstIndex(where: ".?!".contains) ?? rest.endIndex
        else { return nil }
        let text = rest[..<end]
        rest = rest[end...].drop { $0 == "?" || $0 == "!" }
        guard !text.isEmpty, rest.isEmpty || rest.first == "." else { return nil }
        rest = rest.dropFirst()
        return Part(text: text)
    }

    /// The end of "<computed ADDRESS (TYPE)>", where the type may have brackets of any kind.
    private static func endOfComputed(_ text: Substring) -> Substring.Index? {
        var depth = 0
        for index in text.indices {
            switch text[index] {
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth == 0 {
                    let next = text.index(after: index)
                    return next < text.endIndex && text[next] == ">" ? text.index(after: next) : nil
                }
            default: continue
            }
        }
        return nil
    }

    var startIndex: Int { 0 }
    var endIndex: Int { parts.count }
    subscript(position: Int) -> Part { parts[position] }
}
