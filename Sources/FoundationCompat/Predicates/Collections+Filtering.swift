import Foundation

extension Sequence {
    /// The elements that meet the condition.
    public func filtered(using predicate: NSPredicate) -> [Element] {
        filter { predicate.evaluate(with: $0) }
    }

    /// The elements that meet the condition.
    public func filter(using predicate: NSPredicate) -> [Element] {
        filtered(using: predicate)
    }
}

extension NSArray {
    /// The elements that meet the condition, in order.
    public func filtered(using predicate: NSPredicate) -> [Any] {
        filter { predicate.evaluate(with: $0) }
    }
}

extension NSMutableArray {
    /// Removes the elements that don't meet the condition.
    public func filter(using predicate: NSPredicate) {
        setArray(filter { predicate.evaluate(with: $0) })
    }
}

extension NSSet {
    /// The elements that meet the condition.
    public func filtered(using predicate: NSPredicate) -> Set<AnyHashable> {
        Set(filter { predicate.evaluate(with: $0) }.compactMap { $0 as? AnyHashable })
    }
}

extension NSMutableSet {
    /// Removes the elements that don't meet the condition.
    public func filter(using predicate: NSPredicate) {
        for element in filter({ !predicate.evaluate(with: $0) }) {
            remove(element)
        }
    }
}

extension NSOrderedSet {
    /// The elements that meet the condition, in order.
    public func filtered(using predicate: NSPredicate) -> NSOrderedSet {
        NSOrderedSet(array: array.filter { predicate.evaluate(with: $0) })
    }
}

extension NSMutableOrderedSet {
    /// Removes the elements that don't meet the condition.
    public func filter(using predicate: NSPredicate) {
        for element in array.filter({ !predicate.evaluate(with: $0) }) {
            remove(element)
        }
    }
}
