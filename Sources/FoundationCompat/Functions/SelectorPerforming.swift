/// What an object adopts whose methods `FUNCTION(object, "selector:", …)` may call.
///
/// There is no message sending on Linux. Core Data's migration manager and entity policies adopt it.
public protocol SelectorPerforming: AnyObject {
    /// The result of the method with this selector; throws `UnknownSelectorError` where there is none.
    func perform(selector: String, arguments: [Any?]) throws -> Any?
}

/// `FUNCTION(…)` or a comparison by selector names a method that can't be called.
public struct UnknownSelectorError: Error, CustomStringConvertible, Sendable {
    /// The type that was asked.
    public let typeName: String
    /// The name of the method.
    public let selector: String

    /// Describes a call of a method that an object, which may be nil, doesn't have.
    public init(_ object: Any?, selector: String) {
        typeName = object.map { "\(type(of: $0))" } ?? "nil"
        self.selector = selector
    }

    /// The type and the method, in words.
    public var description: String {
        "[\(typeName) \(selector)]: there is no method of this name that an expression can call"
    }
}
