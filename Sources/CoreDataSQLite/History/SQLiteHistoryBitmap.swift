@_spi(Engine) import CoreDataRows
import Foundation

/// Which properties an update changed, as history keeps it (`ZCOLUMNS`): a bit for each, the highest bit of a byte
/// first, no longer than the last one set.
///
/// The places were worked out from stores with rows (RMAdmin, Notes, Photos): to-one keys, each followed by its entity
/// key where it has one; order keys; attributes; to-many relationships; each group from the root entity down, by name.
struct SQLiteHistoryBitmap: Sendable {
    /// The place of each property by index; nil for what a store doesn't keep.
    let places: [Int?]
    /// The place of each row slot.
    private let placeBySlot: [Int?]

    init(_ entity: SQLiteEntity) {
        var places = [Int?](repeating: nil, count: entity.layout.properties.count)
        var slots = [Int?](repeating: nil, count: entity.layout.rowSlotCount)
        var next = 0
        let properties = entity.layout.properties.filter(\.isPersistent)
        for property in properties where property.kind == .toOne {
            places[property.index] = next
            slots[property.rowSlot] = next
            next += entity.entityColumn(of: property) == nil ? 1 : 2
        }
        for property in properties where property.kind == .toOne {
            if let inverse = property.inverse, inverse.kind == .toMany, inverse.isOrdered { next += 1 }
        }
        for property in properties where !property.kind.isRelationship {
            places[property.index] = next
            Self.assignBit(property, at: next, in: &slots)
            next += 1
        }
        for property in properties where property.kind == .toMany {
            places[property.index] = next
            next += 1
        }
        self.places = places
        placeBySlot = slots
    }

    /// A composite attribute is one property, whichever of its elements changed.
    private static func assignBit(_ property: PropertyLayout, at bit: Int, in slots: inout [Int?]) {
        if property.rowSlot >= 0 { slots[property.rowSlot] = bit }
        for element in property.elements { Self.assignBit(element, at: bit, in: &slots) }
    }

    func encode(_ row: RowChange) -> Data {
        var bytes = Data()
        let changed =
            row.changedSlots.compactMap { $0 < placeBySlot.count ? placeBySlot[$0] : nil }
            + row.toManys.compactMap { places[$0.propertyIndex] }
        for place in changed {
            while bytes.count <= place / 8 { bytes.append(0) }
            bytes[place / 8] |= 0x80 >> (place % 8)
        }
        return bytes
    }

    /// The indexes of the properties whose bits are set. Bits that stand for no property are passed over.
    func decode(_ bytes: UnsafeRawBufferPointer) -> [Int] {
        places.indices.filter { index in
            guard let place = places[index], place / 8 < bytes.count else { return false }
            return bytes[place / 8] & (0x80 >> UInt8(place % 8)) != 0
        }
    }
}
