import Foundation

/// Sorting by several descriptors: each object's values are read once.
enum SortedElements {
    /// The places of the objects in order; objects that compare the same keep theirs.
    private static func order(_ objects: [Any], by descriptors: [NSSortDescriptor]) -> [Int] {
        let values = objects.map { object in
            descriptors.map { SortValue($0.sortedValue(of: object)) }
        }
        return objects.indices.sorted { left, right in
            for (index, descriptor) in descriptors.enumerated() {
                switch compare(descriptor, objects, values, left, right, index) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return left < right
        }
    }

    private static func compare(
        _ descriptor: NSSortDescriptor, _ objects: [Any], _ values: [[SortValue]], _ left: Int, _ right: Int,
        _ index: Int
    ) -> ComparisonResult {
        // A subclass may compare the objects in its own way.
        if type(of: descriptor) != NSSortDescriptor.self {
            return descriptor.compare(objects[left], to: objects[right])
        }
        return descriptor.compare(values[left][index], values[right][index])
    }

    static func sorted<Element>(_ elements: [Element], by descriptors: [NSSortDescriptor]) -> [Element] {
        guard !descriptors.isEmpty else { return elements }
        return order(elements, by: descriptors).map { elements[$0] }
    }
}

extension Sequence {
    /// The elements in the order of the descriptors, the first one first.
    @_disfavoredOverload
    public func sorted(using sortDescriptors: [NSSortDescriptor]) -> [Element] {
        SortedElements.sorted(Array(self), by: sortDescriptors)
    }

    /// The elements in the order of the descriptor.
    public func sorted(using sortDescriptor: NSSortDescriptor) -> [Element] {
        SortedElements.sorted(Array(self), by: [sortDescriptor])
    }
}

// `[]` alone could mean Foundation's descriptors as well; for it these step back.
extension NSArray {
    /// The elements in the order of the descriptors, the first one first.
    @_disfavoredOverload
    public func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any] {
        SortedElements.sorted(map { $0 }, by: sortDescriptors)
    }
}

extension NSMutableArray {
    /// Puts the elements into the order of the descriptors.
    @_disfavoredOverload
    public func sort(using sortDescriptors: [NSSortDescriptor]) {
        setArray(SortedElements.sorted(map { $0 }, by: sortDescriptors))
    }
}

extension NSSet {
    /// The elements in the order of the descriptors, the first one first.
    @_disfavoredOverload
    public func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any] {
        SortedElements.sorted(map { $0 }, by: sortDescriptors)
    }
}

extension NSOrderedSet {
    /// The elements in the order of the descriptors, the first one first.
    @_disfavoredOverload
    public func sortedArray(using sortDescriptors: [NSSortDescriptor]) -> [Any] {
        SortedElements.sorted(array, by: sortDescriptors)
    }
}

extension NSMutableOrderedSet {
    /// Puts the elements into the order of the descriptors.
    @_disfavoredOverload
    public func sort(using sortDescriptors: [NSSortDescriptor]) {
        let sorted = SortedElements.sorted(array, by: sortDescriptors)
        removeAllObjects()
        addObjects(from: sorted)
    }
}
