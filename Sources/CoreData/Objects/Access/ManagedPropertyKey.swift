@_spi(Engine) import CoreDataRows
import Synchronization

/// A property's name with the place where its value lies: what generated accessors hold in a static constant.
///
/// The place is looked up once for each entity and remembered, so that an access costs no hashing. A class can stand for
/// entities of several models, whose places differ; then the last one used is remembered. Thread-safe.
@_spi(GeneratedCode) public final class ManagedPropertyKey: Sendable {
    /// The property's name.
    public let name: String
    /// The entity's stamp, the property's kind, its row slot and its index, in one word so that all are read at once.
    private let cached = Atomic<UInt64>(0)

    /// Makes a key of a name.
    public init(_ name: String) { self.name = name }

    @inline(__always)
    func property(in layout: EntityLayout) -> PropertyLayout {
        let word = cached.load(ordering: .relaxed)
        if word >> 40 == layout.stamp { return layout.properties[Int(word & 0xFFFF)] }
        return lookUp(in: layout)
    }

    /// The place in a row of the entity and what lies there; nil where no row holds the value, or before the first
    /// look-up.
    @inline(__always)
    func knownSlot(in layout: EntityLayout) -> (slot: Int, kind: UInt8)? {
        let word = cached.load(ordering: .relaxed)
        let slot = Int(Int16(truncatingIfNeeded: word >> 16))
        guard word >> 40 == layout.stamp, slot >= 0 else { return nil }
        return (slot, UInt8(truncatingIfNeeded: word >> 32))
    }

    private func lookUp(in layout: EntityLayout) -> PropertyLayout {
        guard let property = layout.property(named: name) else {
            fatalError("the entity \(layout.name) is not key value coding-compliant for the key \"\(name)\".")
        }
        guard layout.stamp >> 24 == 0 else { return property }
        let slot = UInt64(UInt16(truncatingIfNeeded: property.rowSlot))
        let place = slot << 16 | UInt64(property.index)
        cached.store(layout.stamp << 40 | UInt64(property.kind.rawValue) << 32 | place, ordering: .relaxed)
        return property
    }
}
