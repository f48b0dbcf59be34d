import Foundation

extension URL {
    /// The URL for people to read: without the password that one of a server may have.
    package var withoutSecrets: String {
        guard !isFileURL, let start = absoluteString.range(of: "://")?.upperBound else { return absoluteString }
        var text = absoluteString
        let rest = text[start...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? text.endIndex
        if let mark = text[start..<end].lastIndex(of: "@"), let colon = text[start..<mark].firstIndex(of: ":") {
            text.removeSubrange(colon..<mark)
        }
        guard let query = text.firstIndex(of: "?") else { return text }
        let items = text[text.index(after: query)...].split(separator: "&").filter {
            !$0.lowercased().contains("password=")
        }
        return String(text[..<query]) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }
}
