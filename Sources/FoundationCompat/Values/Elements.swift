import Foundation

/// The elements of a collection of any of the types that key-value coding knows.
///
/// Whatever a program may pass is looked at by this and not by a cast: on Linux a cast of a subclass of `NSSet` or `NSArray`, as live
/// views of relationships are, to `Set` or `Array` succeeds and gives an empty one.
package struct Elements {
    /// What kind of collection, which decides what mapping over it gives.
    package enum Kind: Sendable {
        case array, set, orderedSet
        /// The values; the keys don't count.
        case dictionary
    }

    package let kind: Kind
    package let values: [Any]

    /// Nil where the value is no collection.
    package init?(_ value: Any) {
        if let object = instance(value) {
            self.init(object: object)
            return
        }
        // Cheap tests of the usual types; the last two go by protocol for `[Person]` and the like.
        if let values = value as? [Any] {
            self.init(kind: .array, values: values)
        } else if value is String {
            return nil
        } else if let set = value as? any SwiftSet {
            self.init(kind: .set, values: set.erasedElements)
        } else if let dictionary = value as? [AnyHashable: Any] {
            self.init(kind: .dictionary, values: Array(dictionary.values))
        } else {
            return nil
        }
    }

    package init(kind: Kind, values: [Any]) {
        self.kind = kind
        self.values = values
    }

    private init?(object: AnyObject) {
        switch object {
        case let array as NSArray: self.init(kind: .array, values: array.map { $0 })
        case let set as NSSet: self.init(kind: .set, values: set.map { $0 })
        case let set as NSOrderedSet: self.init(kind: .orderedSet, values: Self.elements(of: set))
        case let dictionary as NSDictionary: self.init(kind: .dictionary, values: dictionary.allValues)
        default: return nil
        }
    }

    private static func elements(of set: NSOrderedSet) -> [Any] {
        let isFoundations = type(of: set) == NSOrderedSet.self || type(of: set) == NSMutableOrderedSet.self
        // What Foundation's own class has stored is in `array`, and isn't what a subclass says.
        guard isFoundations else { return (0..<set.count).map(set.object(at:)) }
        let stored = set.array
        if stored.count == set.count { return stored }
        // On Linux one that was made of an array keeps what that has twice, also when it is removed, and doesn't count it.
        var seen: Set<AnyHashable> = []
        return stored.filter { set.contains($0) && ValueIdentity.hashable($0).map { seen.insert($0).inserted } ?? true }
    }

    /// Whether a value is a collection of a class of the program's own, as the live views of an object's relationships are.
    package static func mayFollowObject(_ value: Any?) -> Bool {
        guard let value, type(of: value) is AnyClass else { return false }
        switch value {
        case let array as NSArray: return type(of: array) != NSArray.self && type(of: array) != NSMutableArray.self
        case let set as NSSet: return type(of: set) != NSSet.self && type(of: set) != NSMutableSet.self
        case let set as NSOrderedSet:
            return type(of: set) != NSOrderedSet.self && type(of: set) != NSMutableOrderedSet.self
        default: return false
        }
    }

    /// A collection of this kind of other values: sets drop what they have twice, ordered ones keep the order.
    package func rebuilt(_ values: [Any]) -> Any {
        switch kind {
        case .array, .dictionary: return values
        case .set, .orderedSet:
            // Sets of decimals would ask for hashes that never end; see `ValueIdentity.hashable(_:)`.
            if values.contains(where: { ValueIdentity.isDecimal($0) }) {
                return CollectionOperator.distinct(values, as: .array)
            }
            let set = Set(values.compactMap(ValueIdentity.hashable))
            if set.count < values.count, let distinct = Self.distinctTexts(values), distinct.count > set.count {
                return distinct
            }
            return kind == .set ? set : NSOrderedSet(array: values)
        }
    }

    /// The values, each once, where some are texts that Swift may take for the same though they differ: composed and
    /// decomposed characters are equal to `String`, and not to predicates and SQL. Nil where there is no such text.
    private static func distinctTexts(_ values: [Any]) -> [Any]? {
        let hasMarks = values.contains { value in
            guard case .string(let text) = EvaluatedValue(value) else { return false }
            return !text.utf8.allSatisfy { $0 < 0x80 }
        }
        return hasMarks ? CollectionOperator.distinct(values, as: .array) as? [Any] : nil
    }

    /// How many elements a collection has; nil where the value is none.
    package static func count(of value: Any) -> Int? {
        switch value {
        case let array as NSArray: return array.count
        case let set as NSSet: return set.count
        case let set as NSOrderedSet: return set.count
        case let dictionary as NSDictionary: return dictionary.count
        default: return Elements(value)?.values.count
        }
    }
}

/// A Swift set of any element type.
private protocol SwiftSet {
    var erasedElements: [Any] { get }
}

extension Set: SwiftSet {
    /// Without the `AnyHashable` around the elements of an erased set.
    fileprivate var erasedElements: [Any] {
        Element.self == AnyHashable.self ? map { ($0 as AnyHashable).base } : map { $0 }
    }
}
