/// What happened to an observed value. (Apple: NSKeyValueChange.)
public enum NSKeyValueChange: UInt, Sendable {
    /// The value was set as a whole.
    case setting = 1
    /// Elements were added to a collection.
    case insertion = 2
    /// Elements were taken out of a collection.
    case removal = 3
    /// Elements of a collection were exchanged.
    case replacement = 4
}

extension NSKeyValueChange {
    /// What observers are told of a set's change. (Apple: NSKeyValueSetMutationKind.)
    package init(_ mutation: NSKeyValueSetMutationKind) {
        switch mutation {
        case .union: self = .insertion
        case .minus, .intersect: self = .removal
        case .set: self = .replacement
        }
    }
}

/// The entries of the dictionary that describes a change. (Apple: NSKeyValueChangeKey.)
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    /// The key as a string.
    public let rawValue: String

    /// Makes a key of a string.
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
    /// Apple's bits for the options.
    public let rawValue: UInt

    /// Makes a set of options of Apple's bits.
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
    /// Elements are added: `formUnion(_:)`.
    case union = 1
    /// Elements are taken out: `subtract(_:)`.
    case minus = 2
    /// Elements that the other set lacks are taken out: `formIntersection(_:)`.
    case intersect = 3
    /// The other set takes the place of the elements.
    case set = 4
}
