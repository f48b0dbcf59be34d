/// What happened to an observed value. (Apple: NSKeyValueChange.)
public enum NSKeyValueChange: UInt, Sendable {
    case setting = 1
    case insertion = 2
    case removal = 3
    case replacement = 4
}

/// The entries of the dictionary that describes a change. (Apple: NSKeyValueChangeKey.)
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The raw value of an `NSKeyValueChange`, as a number.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The value after the change.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The value before the change.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// The places of an ordered collection that changed.
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// Whether the notification comes before the change.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}

/// What an observer wants to be told. (Apple: NSKeyValueObservingOptions.)
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The value after the change.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value before the change.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// A notification at once, with the present value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// A notification before each change as well.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// How a set changes. (Apple: NSKeyValueSetMutationKind.)
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    case union = 1
    case minus = 2
    case intersect = 3
    case set = 4
}
