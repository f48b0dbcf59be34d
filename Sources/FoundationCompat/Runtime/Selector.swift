/// The name of a method, for the API that takes one. There is no message sending on Linux: it is only compared with
/// the names that the API in question knows, such as `compare:`.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name with its colons.
    public let description: String

    /// Makes a selector of a name with its colons, such as `compare:`.
    public init(_ name: String) {
        description = name
    }

    /// Makes a selector of a name with its colons, such as `compare:`.
    public init(stringLiteral name: String) {
        description = name
    }
}
