import Foundation

// Safe: nothing of it changes once it is made.
/// How to order objects by the value of one of their keys. (Apple: NSSortDescriptor.)
///
/// Immutable, so safe to use from several threads at once, provided that its comparator is.
open class NSSortDescriptor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// What is compared, how, and in which direction.
    private struct Rule {
        let key: String?
        let parsedKey: ParsedKeyPath?
        let keyPath: AnyKeyPath?
        let ascending: Bool
        let selector: Selector?
        let ordering: SortOrdering
        /// Whether the block compares the objects themselves, whatever key path there is.
        let comparesObjects: Bool

        init(
            key: String?, keyPath: AnyKeyPath? = nil, ascending: Bool, selector: Selector?, ordering: SortOrdering,
            comparesObjects: Bool = false
        ) {
            self.comparesObjects = comparesObjects
            self.key = key
            parsedKey = key.map(ParsedKeyPath.init)
            self.keyPath = keyPath
            self.ascending = ascending
            self.selector = selector
            self.ordering = ordering
        }
    }

    // Safe: nothing of it changes once it is made.
    /// Set once, while the descriptor is made.
    @exclusivity(unchecked) private final var rule: Rule

    /// The key path whose values are compared; nil means the objects themselves.
    open var key: String? { rule.key }
    /// Whether smaller values come first.
    open var ascending: Bool { rule.ascending }
    /// The method that compares two values; nil where there is a comparator.
    open var selector: Selector? { rule.selector }
    /// The key path that the descriptor was made of, if any.
    open var keyPath: AnyKeyPath? { rule.keyPath }

    package final var parsedKey: ParsedKeyPath? { rule.parsedKey }
    final var ordering: SortOrdering { rule.ordering }

    convenience init(
        key: String?, keyPath: AnyKeyPath?, ascending: Bool, selector: Selector?, ordering: SortOrdering,
        comparesObjects: Bool = false
    ) {
        self.init(key: nil, ascending: ascending)
        rule = Rule(
            key: key, keyPath: keyPath, ascending: ascending, selector: selector, ordering: ordering,
            comparesObjects: comparesObjects)
    }

    /// Orders by the values of a key path as `compare:` does.
    public init(key: String?, ascending: Bool) {
        rule = Rule(key: key, ascending: ascending, selector: "compare:", ordering: .compare)
        super.init()
    }

    /// Orders by the values of a key path with the named method: `compare:`, `caseInsensitiveCompare:`,
    /// `localizedCompare:`, `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`.
    ///
    /// Another name stops the program when it is used: there is no message sending on Linux.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        rule = Rule(
            key: key, ascending: ascending, selector: selector ?? "compare:",
            ordering: SortOrdering(selector: selector))
        super.init()
    }

    /// Orders by the values of a key path with a block, which never sees nil.
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        rule = Rule(key: key, ascending: ascending, selector: nil, ordering: .block(cmptr))
        super.init()
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
            key: key, keyPath: keyPath, ascending: !ascending, selector: selector, ordering: ordering,
            comparesObjects: rule.comparesObjects)
    }

    /// Does nothing: descriptors that were decoded are checked on decoding here.
    open func allowEvaluation() {}

    // MARK: Comparing

    /// How a sorted collection has the two objects: `.orderedAscending` if the first one comes first.
    ///
    /// A missing value is less than every value. Values that have no order count as the same.
    open func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        compare(SortValue(sortedValue(of: object1)), SortValue(sortedValue(of: object2)))
    }

    /// The value that an object is sorted by.
    func sortedValue(of object: Any) -> Any? {
        if let parsedKey {
            return orStop { try KeyValueAccess.value(of: object, at: parsedKey) }
        }
        guard let keyPath = rule.keyPath, !rule.comparesObjects else { return object }
        return Optional.flattened(object[keyPath: keyPath])
    }

    func compare(_ left: SortValue, _ right: SortValue) -> ComparisonResult {
        let result = ordering.compare(left, right)
        return rule.ascending ? result : result.opposite
    }

    /// How values are compared; for `compare:` and the other known methods a block that does the same.
    open var comparator: Comparator {
        if case .block(let comparator) = ordering { return comparator }
        let ordering = ordering
        return { ordering.compare(SortValue($0), SortValue($1)) }
    }

    /// Whether both order alike: by the same key, direction and selector. Descriptors with a block are equal to
    /// themselves alone.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSSortDescriptor else { return false }
        if self === other { return true }
        // One made of a key path is one of its name.
        return key == other.key && (key != nil || keyPath == other.keyPath) && ascending == other.ascending
            && selector != nil && selector == other.selector
    }

    /// A hash that equal objects share.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(ascending)
        hasher.combine(selector)
        return hasher.finalize()
    }

    /// The key, the direction and the selector.
    open override var description: String {
        let direction = ascending ? "ascending" : "descending"
        return "(\(key ?? "self"), \(direction), \(selector?.description ?? "block"))"
    }

    // MARK: Archiving

    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool {
        ArchivedClasses.register()
        return true
    }

    /// Reads a descriptor with a key and a selector. (Keys seen in the fixture SampleModel2_V1.sqlite.)
    public required convenience init?(coder: NSCoder) {
        ArchivedClasses.register()
        let key = coder.decodeObject(of: NSString.self, forKey: "NSKey") as String?
        let selector = coder.decodeObject(of: NSString.self, forKey: "NSSelector") as String?
        self.init(
            key: key, ascending: coder.decodeBool(forKey: "NSAscending"), selector: selector.map { Selector($0) })
    }

    /// Writes the descriptor under Apple's keys. A comparator stops the program, as Apple's raises.
    open func encode(with coder: NSCoder) {
        guard let selector else {
            fatalError("A sort descriptor with a comparator can't be archived: a block has no archived form")
        }
        coder.encode(key.map { $0 as NSString }, forKey: "NSKey")
        coder.encode(selector.description as NSString, forKey: "NSSelector")
        coder.encode(ascending, forKey: "NSAscending")
        coder.encode(false, forKey: "NSReverseNullOrder")
    }

    /// The object itself, which doesn't change.
    open func copy(with zone: NSZone? = nil) -> Any {
        self
    }
}
