import Foundation

/// The last 32 bytes of a binary property list ("bplist00"), which say where everything is.
package struct BinaryPropertyListTrailer {
    package static let length = 32

    /// The number of bytes of an offset.
    package let offsetSize: Int
    /// The number of bytes of a reference.
    package let referenceSize: Int
    package let objectCount: Int
    /// The number of the object that the list consists of.
    package let topObject: Int
    package let offsetTable: Int

    /// Returns nil where the table of offsets isn't within the bytes.
    package init?(_ bytes: [UInt8]) {
        let start = bytes.count - Self.length
        guard start >= 8, let count = Self.number(bytes[start + 8..<start + 16]),
            let top = Self.number(bytes[start + 16..<start + 24]),
            let table = Self.number(bytes[start + 24..<start + 32])
        else { return nil }
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        (objectCount, topObject, offsetTable) = (count, top, table)
        guard (1...8).contains(offsetSize), count > 0, table < start, count <= (start - table) / offsetSize else {
            return nil
        }
    }

    /// A number of as many bytes, the highest first; nil where it has no room in an `Int`.
    package static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// Checks the table of a binary property list before Foundation reads it.
enum BinaryPropertyList {
    /// Whether the places of all objects are in the data and their kinds are those that keyed archives have. Foundation
    /// on Linux ends the program at sets among them.
    static func isPlain(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        guard bytes.starts(with: Array("bplist00".utf8)), let trailer = BinaryPropertyListTrailer(bytes) else {
            return false
        }
        let table = trailer.offsetTable
        for index in 0..<trailer.objectCount {
            let start = table + index * trailer.offsetSize
            guard let offset = BinaryPropertyListTrailer.number(bytes[start..<(start + trailer.offsetSize)]),
                offset < table,
                isKindOfArchives(bytes[offset])
            else { return false }
        }
        return true
    }

    /// Booleans, numbers, dates, data, strings, references, arrays and dictionaries.
    private static func isKindOfArchives(_ marker: UInt8) -> Bool {
        switch marker >> 4 {
        case 0x0: return marker == 0x00 || marker == 0x08 || marker == 0x09
        case 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x8, 0xA, 0xD: return true
        default: return false
        }
    }
}
