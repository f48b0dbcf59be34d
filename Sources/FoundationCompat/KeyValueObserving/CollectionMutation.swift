import Foundation

/// What became of the elements of an observed collection, as observers are told (Apple: NSKeyValueChangeKey).
struct CollectionMutation {
    private let kind: NSKeyValueChange
    private let old: Any?
    private let new: Any?
    private let indexes: IndexSet?

    /// Nil where the two aren't collections of one kind, or where elements both came and went at different places: that is told
    /// as a setting of the whole.
    ///
    /// - Parameter replaces: whether a set's elements were replaced by others as one change: what went is told together with what
    ///   came (Apple: NSKeyValueSetMutationKind.set).
    init?(from old: Any?, to new: Any?, replaces: Bool = false) {
        if let old = old as? NSOrderedSet, let new = new as? NSOrderedSet {
            self.init(ordered: Self.identified(old.array), Self.identified(new.array))
        } else if let old = Self.set(old), let new = Self.set(new) {
            self.init(unordered: old, new, replaces: replaces)
        } else {
            return nil
        }
    }

    private static func set(_ value: Any?) -> Set<NSObject>? {
        guard let elements = value.flatMap(Elements.init), elements.kind == .set else { return nil }
        return (elements.values as? [NSObject]).map(Set.init)
    }

    private init?(unordered old: Set<NSObject>, _ new: Set<NSObject>, replaces: Bool) {
        let (removed, inserted) = (old.subtracting(new), new.subtracting(old))
        if replaces {
            (kind, self.old, self.new, indexes) = (.replacement, removed, inserted, nil)
            return
        }
        guard removed.isEmpty != inserted.isEmpty else { return nil }
        kind = removed.isEmpty ? .insertion : .removal
        self.old = removed.isEmpty ? nil : removed
        self.new = inserted.isEmpty ? nil : inserted
        indexes = nil
    }

    private static func identified(_ elements: [Any]) -> [NSObject]? { elements as? [NSObject] }

    private init?(ordered old: [NSObject]?, _ new: [NSObject]?) {
        guard let old, let new else { return nil }
        if old.count == new.count {
            let places = old.indices.filter { !old[$0].isEqual(new[$0]) }
            guard !places.isEmpty else { return nil }
            kind = .replacement
            self.old = places.map { old[$0] }
            self.new = places.map { new[$0] }
            indexes = IndexSet(places)
            return
        }
        let isInsertion = new.count > old.count
        let (longer, shorter) = isInsertion ? (new, old) : (old, new)
        let known = Set(shorter)
        let places = longer.indices.filter { !known.contains(longer[$0]) }
        guard longer.filter(known.contains) == shorter else { return nil }
        kind = isInsertion ? .insertion : .removal
        let elements = places.map { longer[$0] }
        self.old = isInsertion ? nil : elements
        self.new = isInsertion ? elements : nil
        indexes = IndexSet(places)
    }

    func description(_ options: NSKeyValueObservingOptions) -> [NSKeyValueChangeKey: Any] {
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: kind.rawValue]
        if options.contains(.old), let old { change[.oldKey] = old }
        if options.contains(.new), let new { change[.newKey] = new }
        if let indexes { change[.indexesKey] = indexes }
        return change
    }
}
