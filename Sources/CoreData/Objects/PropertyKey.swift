import Synchronization

/// A property's name with the place where its value lies: what generated accessors hold in a static constant.
///
/// The place is looked up once for each entity and remembered, so that an access costs no hashing. A class can stand for
/// entities of several models, whose places differ; then the last one used is remembered. Thread-safe.
public final class PropertyKey: Sendable {
    /// The property's name.
    public let name: String
    /// The entity's stamp and the property's index, in one word so that both are read at once.
    private let cached = Atomic<UInt64>(0)

    /// Makes a key of a name.
    public init(_ name: String) { self.name = name }

    @inline(__always)
    func property(in layout: EntityLayout) -> PropertyLayout {
        let word = cached.load(ordering: .relaxed)
        if word >> 16 == layout.stamp { return layout.properties[Int(word & 0xFFFF)] }
        return lookUp(in: layout)
    }

    private func lookUp(in layout: EntityLayout) -> PropertyLayout {
        guard let property = layout.property(named: name) else {
            fatalError("the entity \(layout.name) is not key value coding-compliant for the key \"\(name)\".")
        }
        cached.store(layout.stamp << 16 | UInt64(property.index), ordering: .relaxed)
        return property
    }
}
