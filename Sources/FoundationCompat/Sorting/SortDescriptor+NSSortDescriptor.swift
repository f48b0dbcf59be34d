import Foundation

extension NSSortDescriptor {
    /// The descriptor that orders as one of Swift's does.
    ///
    /// It can be fetched by where the key path has a registered name (``KeyPathNames``), as those of generated classes do.
    /// Strings are in the order of `localizedStandardCompare:` unless the descriptor says otherwise, as on Apple's platforms.
    public convenience init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
        let isAscending = sortDescriptor.order == .forward
        if let keyPath = sortDescriptor.keyPath {
            let standIn = SortedKeyPaths.original(of: keyPath)
            let original = standIn?.keyPath ?? keyPath
            if let key = KeyPathNames.name(of: original) {
                let selector = standIn?.selector ?? Self.selector(of: sortDescriptor, original)
                self.init(
                    key: key, keyPath: original, ascending: isAscending, selector: selector,
                    ordering: SortOrdering(selector: selector))
                return
            }
        }
        self.init(
            key: nil, keyPath: sortDescriptor.keyPath, ascending: true, selector: nil,
            ordering: .block { left, right in
                guard let left = left as? Compared, let right = right as? Compared else { return .orderedSame }
                return sortDescriptor.compare(left, right)
            }, comparesObjects: true)
    }

    private static func selector<Compared>(of descriptor: SortDescriptor<Compared>, _ keyPath: AnyKeyPath) -> Selector {
        let value = Swift.type(of: keyPath).valueType
        guard descriptor.stringComparator == nil, value == String.self || value == String?.self else {
            return "compare:"
        }
        return "localizedStandardCompare:"
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
