import Foundation

/// The parts of an `x-coredata:` URL.
package struct ObjectURI {
    /// The UUID of the store, or nil for a temporary identity.
    var storeIdentifier: String?
    package var entityName: String
    /// What follows the `p` or `t`.
    package var reference: String

    package var url: URL {
        let kind = storeIdentifier == nil ? "t" : "p"
        let name = Self.escaped(entityName)
        let reference = Self.escaped(self.reference)
        // A file's metadata may have any text for a UUID.
        let store = storeIdentifier?.addingPercentEncoding(withAllowedCharacters: Self.allowedInStore) ?? ""
        guard let url = URL(string: "x-coredata://\(store)/\(name)/\(kind)\(reference)") else {
            preconditionFailure("an escaped object URI is a URL")
        }
        return url
    }

    init(storeIdentifier: String?, entityName: String, reference: String) {
        self.storeIdentifier = storeIdentifier
        self.entityName = entityName
        self.reference = reference
    }

    /// Parses a URL; nil when it isn't an object's.
    package init?(_ url: URL) {
        let text = url.absoluteString
        guard text.hasPrefix("x-coredata://") else { return nil }
        let parts = text.dropFirst("x-coredata://".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = parts[2].first, parts[2].count > 1,
            let entityName = String(parts[1]).removingPercentEncoding,
            let reference = String(parts[2].dropFirst()).removingPercentEncoding
        else { return nil }
        switch kind {
        case "p" where !parts[0].isEmpty:
            guard let store = String(parts[0]).removingPercentEncoding else { return nil }
            storeIdentifier = store
        case "t" where parts[0].isEmpty: storeIdentifier = nil
        default: return nil
        }
        self.entityName = entityName
        self.reference = reference
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
    }

    private static let allowedInStore = allowed.subtracting(CharacterSet(charactersIn: ":"))
    private static let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~:"))
}
