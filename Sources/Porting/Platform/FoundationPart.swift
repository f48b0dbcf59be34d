/// The names by which a source shows that it needs Foundation's networking, which is a module of its own on Linux.
enum NetworkingNames {
    static let module = "FoundationNetworking"

    /// Whether a name is one of that module.
    static func contains(_ name: String) -> Bool {
        name.hasPrefix("URLSession") || name.hasPrefix("HTTPCookie") || exact.contains(name)
    }

    private static let exact: Set<String> = [
        "URLRequest", "NSURLRequest", "NSMutableURLRequest", "URLResponse", "HTTPURLResponse", "URLProtocol",
        "URLProtocolClient", "URLCache", "CachedURLResponse", "URLCredential", "URLCredentialStorage",
        "URLAuthenticationChallenge", "URLProtectionSpace",
    ]
}
