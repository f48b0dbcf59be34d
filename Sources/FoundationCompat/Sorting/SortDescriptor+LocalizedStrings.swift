import Foundation

/// The orders of strings by language that Foundation has on Apple's platforms only: `.localizedStandard` and `.localized`,
/// to be used as `SortDescriptor(\.name, comparator: .localizedStandard)` or `names.sorted(using: .localizedStandard)`.
public struct LocalizedStringComparator: SortComparator, Hashable, Sendable {
    fileprivate enum Kind: Hashable {
        case standard
        case plain
    }

    fileprivate let kind: Kind
    /// Ascending or descending.
    public var order: SortOrder = .forward

    /// As the Finder sorts names: numbers by value, without regard to case.
    public static let localizedStandard = LocalizedStringComparator(kind: .standard)
    /// As the current language sorts.
    public static let localized = LocalizedStringComparator(kind: .plain)

    fileprivate var selector: Selector { kind == .standard ? "localizedStandardCompare:" : "localizedCompare:" }

    fileprivate func compareForward(_ left: String, _ right: String) -> ComparisonResult {
        SortOrdering(selector: selector).compare(left, right)
    }

    /// How two strings are ordered, in the current locale.
    public func compare(_ lhs: String, _ rhs: String) -> ComparisonResult {
        let result = compareForward(lhs, rhs)
        return order == .forward ? result : result.opposite
    }
}

extension SortComparator where Self == LocalizedStringComparator {
    /// As the Finder sorts names: numbers by value, without regard to case.
    public static var localizedStandard: LocalizedStringComparator { LocalizedStringComparator.localizedStandard }
    /// As the current language sorts.
    public static var localized: LocalizedStringComparator { LocalizedStringComparator.localized }
}

extension SortDescriptor {
    /// Orders by strings as a language does.
    public init(
        _ keyPath: KeyPath<Compared, String> & Sendable, comparator: LocalizedStringComparator,
        order: SortOrder? = nil
    ) {
        self.init(
            SortedKeyPaths.standIn(for: keyPath, \String.[in: comparator.kind], comparator.selector),
            order: order ?? comparator.order)
    }

    /// Orders by strings as a language does; missing ones come first.
    public init(
        _ keyPath: KeyPath<Compared, String?> & Sendable, comparator: LocalizedStringComparator,
        order: SortOrder? = nil
    ) {
        self.init(
            SortedKeyPaths.standIn(for: keyPath, \String?.[in: comparator.kind], comparator.selector),
            order: order ?? comparator.order)
    }

    /// Orders by Booleans: false comes first.
    public init(_ keyPath: KeyPath<Compared, Bool> & Sendable, order: SortOrder = .forward) where Compared: NSObject {
        self.init(SortedKeyPaths.standIn(for: keyPath, \Bool.asNumber, "compare:"), order: order)
    }

    /// Orders by Booleans: missing ones come first, then false.
    public init(_ keyPath: KeyPath<Compared, Bool?> & Sendable, order: SortOrder = .forward)
    where Compared: NSObject {
        self.init(SortedKeyPaths.standIn(for: keyPath, \Bool?.asNumber, "compare:"), order: order)
    }
}

/// The key paths that stand in for others inside of sort descriptors, as Linux' Foundation takes none but to comparable
/// values. There are no more of them than key paths in the program's text.
enum SortedKeyPaths {
    private static let lock = NSLock()
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var originals: [AnyKeyPath: (keyPath: AnyKeyPath, selector: Selector)] = [:]

    /// The key path that leads on from the values of one to comparable ones.
    static func standIn<Compared, Value, Comparable>(
        for keyPath: KeyPath<Compared, Value>, _ comparable: KeyPath<Value, Comparable>, _ selector: Selector
    ) -> KeyPath<Compared, Comparable> & Sendable {
        let standIn = keyPath.appending(path: comparable)
        lock.withLock { originals[standIn] = (keyPath, selector) }
        // Both parts are sendable; appending forgets that.
        return unsafeBitCast(standIn, to: (KeyPath<Compared, Comparable> & Sendable).self)
    }

    /// What a key path stands in for, and the method that compares the values.
    static func original(of standIn: AnyKeyPath) -> (keyPath: AnyKeyPath, selector: Selector)? {
        lock.withLock { originals[standIn] }
    }
}

/// A string in the order of a language; a missing one comes first.
private struct OrderedString: Comparable {
    let text: String?
    let kind: LocalizedStringComparator.Kind

    static func < (left: OrderedString, right: OrderedString) -> Bool {
        guard let leftText = left.text, let rightText = right.text else { return left.text == nil && right.text != nil }
        return LocalizedStringComparator(kind: left.kind).compareForward(leftText, rightText) == .orderedAscending
    }

    static func == (left: OrderedString, right: OrderedString) -> Bool { !(left < right) && !(right < left) }
}

extension String {
    fileprivate subscript(in kind: LocalizedStringComparator.Kind) -> OrderedString {
        OrderedString(text: self, kind: kind)
    }
}

extension Optional where Wrapped == String {
    fileprivate subscript(in kind: LocalizedStringComparator.Kind) -> OrderedString {
        OrderedString(text: self, kind: kind)
    }
}

extension Bool {
    fileprivate var asNumber: Int { self ? 1 : 0 }
}

extension Optional where Wrapped == Bool {
    fileprivate var asNumber: Int { map(\.asNumber) ?? -1 }
}
