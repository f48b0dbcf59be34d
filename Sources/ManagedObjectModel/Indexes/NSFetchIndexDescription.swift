import Foundation
import FoundationCompat

import class FoundationCompat.NSPredicate

/// The description of an index that a store keeps for an entity.
open class NSFetchIndexDescription: NSObject, NSCopying, NSSecureCoding {
    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool { true }

    private var isImmutable = false

    /// The index's name, unique within the entity.
    open var name: String { willSet { requireMutable() } }

    /// What is indexed, in order. The elements all have the same collation type.
    open var elements: [NSFetchIndexElementDescription] {
        willSet {
            requireMutable()
            Self.requireOneCollationType(newValue)
        }
        didSet { adoptElements() }
    }

    /// The entity that has the index.
    open internal(set) weak var entity: NSEntityDescription?

    /// What objects have to fulfil to be in the index; nil for all.
    open var partialIndexPredicate: NSPredicate? { willSet { requireMutable() } }

    /// Makes an index of that name over the elements.
    public init(name: String, elements: [NSFetchIndexElementDescription]?) {
        Self.requireOneCollationType(elements ?? [])
        self.name = name
        self.elements = elements ?? []
        super.init()
        adoptElements()
    }

    /// Reads an index that `encode(with:)` wrote. Returns nil where the data is not one.
    public required init?(coder: NSCoder) {
        guard let source: NSFetchIndexDescription = DescriptionCoding.decode(from: coder) else { return nil }
        name = source.name
        elements = source.elements
        super.init()
        partialIndexPredicate = source.partialIndexPredicate
        adoptElements()
    }

    /// Writes one archive in Apple's layout into the coder, which this package reads.
    open func encode(with coder: NSCoder) {
        DescriptionCoding.encode(self, with: coder)
    }

    /// Returns an index with copies of the elements that belongs to no entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        copied()
    }

    final func copied() -> NSFetchIndexDescription {
        let copy = NSFetchIndexDescription(name: name, elements: elements.map { $0.copied() })
        copy.partialIndexPredicate = partialIndexPredicate
        return copy
    }

    /// Whether both have the same name, elements and predicate.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchIndexDescription else { return false }
        return self === other
            || name == other.name && elements == other.elements
                && ValueEquality.areEqual(partialIndexPredicate, other.partialIndexPredicate)
    }

    /// A hash that equal objects share.
    open override var hash: Int { name.hashValue }

    func makeImmutable() {
        isImmutable = true
        elements.forEach { $0.makeImmutable() }
    }

    private func adoptElements() {
        for element in elements { element.indexDescription = self }
    }

    private func requireMutable() {
        if isImmutable { fatalError("Can't modify an immutable model.") }
    }

    private static func requireOneCollationType(_ elements: [NSFetchIndexElementDescription]) {
        if let first = elements.first, elements.contains(where: { $0.collationType != first.collationType }) {
            fatalError("Can't create an index with both R-tree and binary elements.")
        }
    }
}
