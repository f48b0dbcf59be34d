import Foundation

extension NSSortDescriptor {
    /// The descriptor that orders as one of Swift's does.
    ///
    /// It has no key: Linux Foundation doesn't say what a `SortDescriptor` was made of.
    public convenience init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
        self.init(
            key: nil, keyPath: nil, ascending: true, selector: nil,
            ordering: .block { left, right in
                guard let left = left as? Compared, let right = right as? Compared else { return .orderedSame }
                return sortDescriptor.compare(left, right)
            })
    }
}

extension SortDescriptor where Compared: NSObjectProtocol {
    /// The descriptor that orders objects as one of the classic kind does.
    public init?(_ descriptor: NSSortDescriptor, comparing comparedType: Compared.Type) {
        self.init(\Compared.[orderedBy: descriptor])
    }
}

extension NSObjectProtocol {
    /// The object in the order of a descriptor: Linux Foundation's `SortDescriptor` takes a key path to a comparable
    /// value and nothing else.
    fileprivate subscript(orderedBy descriptor: NSSortDescriptor) -> OrderedObject {
        OrderedObject(object: self, descriptor: descriptor)
    }
}

private struct OrderedObject: Comparable {
    let object: Any
    let descriptor: NSSortDescriptor

    static func < (left: OrderedObject, right: OrderedObject) -> Bool {
        left.descriptor.compare(left.object, to: right.object) == .orderedAscending
    }

    static func == (left: OrderedObject, right: OrderedObject) -> Bool {
        left.descriptor.compare(left.object, to: right.object) == .orderedSame
    }
}
