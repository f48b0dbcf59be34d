import Foundation

/// How to order objects by the value of one of their keys. (Apple: NSSortDescriptor.)
///
/// Immutable, so safe to use from several threads at once, provided that its comparator is.
open class NSSortDescriptor: NSObject, NSCopying, @unchecked Sendable {
    /// The key path whose values are compared; nil means the objects themselves.
    public let key: String?
    /// Whether smaller values come first.
    public let ascending: Bool
    /// The method that compares two values; nil where there is a comparator.
    public let selector: Selector?
    /// The key path that the descriptor was made of, if any.
    public let keyPath: AnyKeyPath?

    package let parsedKey: ParsedKeyPath?
    let ordering: SortOrdering

    init(key: String?, keyPath: AnyKeyPath?, ascending: Bool, selector: Selector?, ordering: SortOrdering) {
        self.key = key
        self.keyPath = keyPath
        self.ascending = ascending
        self.selector = selector
        self.ordering = ordering
        parsedKey = key.map(ParsedKeyPath.init)
        super.init()
    }

    /// Orders by the values of a key path as `compare:` does.
    public convenience init(key: String?, ascending: Bool) {
        self.init(key: key, keyPath: nil, ascending: ascending, selector: "compare:", ordering: .compare)
    }

    /// Orders by the values of a key path with the named method: `compare:`, `caseInsensitiveCompare:`,
    /// `localizedCompare:`, `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`.
    ///
    /// Another name stops the program when it is used: there is no message sending on Linux.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
        self.init(
            key: key, keyPath: nil, ascending: ascending, selector: selector ?? "compare:",
            ordering: SortOrdering(selector: selector))
    }

    /// Orders by the values of a key path with a block, which never sees nil.
    public convenience init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self.init(key: key, keyPath: nil, ascending: ascending, selector: nil, ordering: .block(cmptr))
    }

    /// Orders by the values of a Swift key path as `compare:` does.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self.init(
            key: KeyPathNames.name(of: keyPath), keyPath: keyPath, ascending: ascending, selector: "compare:",
            ordering: .compare)
    }

    /// Orders by the values of a Swift key path with a block, which never sees nil.
    public convenience init<Root, Value>(
        keyPath: KeyPath<Root, Value>, ascending: Bool, comparator cmptr: @escaping Comparator
    ) {
        self.init(
            key: KeyPathNames.name(of: keyPath), keyPath: keyPath, ascending: ascending, selector: nil,
            ordering: .block(cmptr))
    }

    /// The same keys in the other direction.
    open var reversedSortDescriptor: Any {
        NSSortDescriptor(
            key: key, keyPath: keyPath, ascending: !ascending, selector: selector, ordering: ordering)
    }

    /// Does nothing: descriptors that were decoded are checked on decoding here.
    open func allowEvaluation() {}

    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }
}
