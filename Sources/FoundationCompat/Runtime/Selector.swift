/// The name of a method, for the API that takes one. There is no message sending on Linux: it is only compared with
/// the names that the API in question knows, such as `compare:`, unless it brings the method along.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name with its colons.
    public let description: String
    private let method: Method?

    // Safe: it is called on the thread that its caller chooses, as the method would be.
    private struct Method: @unchecked Sendable {
        let call: (AnyObject, Any?) -> Bool
        let isOf: (AnyObject) -> Bool
    }

    /// Makes a selector of a name with its colons, such as `compare:`.
    public init(_ name: String) {
        description = name
        method = nil
    }

    /// Makes a selector of a name and what calls the method, with an object and the argument.
    ///
    /// An addition for Linux: `coredata swift` and `coredata port` write this for `#selector` where it is no call's argument.
    public init<Target: AnyObject>(_ name: String, calling method: @escaping (Target, Any?) -> Void) {
        description = name
        self.method = Method(
            call: { target, argument in
                guard let target = target as? Target else { return false }
                method(target, argument)
                return true
            }, isOf: { $0 is Target })
    }

    /// Calls the method of an object. Returns false for a selector that is just a name, and an object of another class.
    package func call(on target: AnyObject, with argument: Any?) -> Bool { method?.call(target, argument) ?? false }

    /// Whether the selector brings a method of the object's class along.
    package func isMethod(of target: AnyObject) -> Bool { method?.isOf(target) ?? false }

    /// Whether the selector brings its method along.
    package var isCallable: Bool { method != nil }

    /// Whether two selectors have the same name.
    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// Makes a selector of a name with its colons, such as `compare:`.
    public init(stringLiteral name: String) {
        self.init(name)
    }
}

/// The selector of a name. (Apple: NSSelectorFromString.)
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

/// The name of a selector. (Apple: NSStringFromSelector.)
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }
