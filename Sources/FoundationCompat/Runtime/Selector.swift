/// The name of a method, for the API that takes one. There is no message sending on Linux: it is only compared with
/// the names that the API in question knows, such as `compare:`.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name with its colons.
    public let description: String

    public init(_ name: String) {
        description = name
    }

    public init(stringLiteral name: String) {
        description = name
    }
}
