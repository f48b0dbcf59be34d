import Foundation

/// Writes binary property lists ("bplist00"), with UIDs, which Foundation's writer cannot.
package struct BinaryPropertyListWriter {
    /// A value with its contents replaced by numbers of other values.
    private enum Flat {
        case bytes([UInt8])
        case array([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var flattened: [Flat] = []
    private var scalarIndexes: [[UInt8]: Int] = [:]

    package static func write(_ root: PropertyListNode) -> Data {
        var writer = BinaryPropertyListWriter()
        _ = writer.flatten(root)
        return writer.serialize()
    }

    /// Numbers the value and what it contains, containers before their contents. Equal scalars get one number.
    private mutating func flatten(_ node: PropertyListNode) -> Int {
        switch node {
        case .array(let items):
            let index = reserve()
            flattened[index] = .array(items.map { flatten($0) })
            return index
        case .dictionary(let items):
            let index = reserve()
            let sorted = items.sorted { $0.key < $1.key }
            let keys = sorted.map { flatten(.string($0.key)) }
            flattened[index] = .dictionary(keys: keys, values: sorted.map { flatten($0.value) })
            return index
        default:
            let bytes = Self.scalar(node)
            if let index = scalarIndexes[bytes] { return index }
            let index = reserve()
            flattened[index] = .bytes(bytes)
            scalarIndexes[bytes] = index
            return index
        }
    }

    private mutating func reserve() -> Int {
        flattened.append(.array([]))
        return flattened.count - 1
    }

    private func serialize() -> Data {
        let referenceSize = Self.size(for: flattened.count)
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for item in flattened {
            offsets.append(bytes.count)
            switch item {
            case .bytes(let scalar): bytes += scalar
            case .array(let items):
                bytes += Self.marker(0xA0, count: items.count)
                for item in items { bytes += Self.bigEndian(item, size: referenceSize) }
            case .dictionary(let keys, let values):
                bytes += Self.marker(0xD0, count: keys.count)
                for item in keys + values { bytes += Self.bigEndian(item, size: referenceSize) }
            }
        }
        let tableOffset = bytes.count
        let offsetSize = Self.size(for: tableOffset)
        for offset in offsets { bytes += Self.bigEndian(offset, size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        bytes += Self.bigEndian(flattened.count, size: 8)
        bytes += Self.bigEndian(0, size: 8)
        bytes += Self.bigEndian(tableOffset, size: 8)
        return Data(bytes)
    }

    private static func scalar(_ node: PropertyListNode) -> [UInt8] {
        switch node {
        case .boolean(let value): return [value ? 0x09 : 0x08]
        case .integer(let value): return integer(value)
        case .unsigned(let value):
            // Sixteen bytes: those of eight have a sign.
            return [0x14] + bigEndian(0, size: 8) + bigEndian(Int(bitPattern: UInt(value)), size: 8)
        case .real(let value): return [0x23] + bigEndian(Int(bitPattern: UInt(value.bitPattern)), size: 8)
        case .date(let value):
            let pattern = value.timeIntervalSinceReferenceDate.bitPattern
            return [0x33] + bigEndian(Int(bitPattern: UInt(pattern)), size: 8)
        case .data(let value): return marker(0x40, count: value.count) + value
        case .string(let value):
            if value.utf8.allSatisfy({ $0 < 0x80 }) { return marker(0x50, count: value.utf8.count) + value.utf8 }
            let units = Array(value.utf16)
            return marker(0x60, count: units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case .uid(let value):
            let size = size(for: value)
            return [0x80 | UInt8(size - 1)] + bigEndian(value, size: size)
        case .array, .dictionary: return []
        }
    }

    private static func marker(_ kind: UInt8, count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(count)
    }

    private static func integer(_ value: Int) -> [UInt8] {
        // Only eight-byte integers have a sign.
        let size = value < 0 ? 8 : size(for: value)
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(value, size: size)
    }

    private static func size(for value: Int) -> Int {
        switch value {
        case 0...0xFF: 1
        case 0...0xFFFF: 2
        case 0...0xFFFF_FFFF: 4
        default: 8
        }
    }

    private static func bigEndian(_ value: Int, size: Int) -> ArraySlice<UInt8> {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }.suffix(size)
    }
}
