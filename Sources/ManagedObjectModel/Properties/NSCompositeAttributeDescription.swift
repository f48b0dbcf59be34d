import Foundation

/// The description of an attribute whose value is a dictionary of other attributes' values, by their names.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    /// The parts. They may be composite themselves, but not undefined, object IDs or external data.
    open var elements: [NSAttributeDescription] = [] { willSet { requireMutable() } }

    /// Makes a description without a name and without elements.
    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    /// Reads the description from an archive, such as a compiled model; nil where the archive is damaged.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    package override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSCompositeAttributeDescription else { return }
        elements = other.elements.map { $0.copied() }
    }

    package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSCompositeAttributeDescription, super.hasSameContents(as: other) else {
            return false
        }
        return elements.count == other.elements.count
            && zip(elements.sortedByName(), other.elements.sortedByName()).allSatisfy { $0.isEqual($1) }
    }

    package override func makeImmutable() {
        super.makeImmutable()
        elements.forEach { $0.makeImmutable() }
    }
}
