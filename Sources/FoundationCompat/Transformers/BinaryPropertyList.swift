import Foundation

/// Looks the table of a binary property list over, before Foundation reads it.
enum BinaryPropertyList {
    private static let trailerLength = 32

    /// Whether the places of all objects are in the data and their kinds are those that keyed archives have. Foundation
    /// on Linux ends the program at sets among them.
    static func isPlain(_ data: Data) -> Bool {
        let bytes = [UInt8](data)
        guard bytes.count > trailerLength + 8, bytes.starts(with: Array("bplist00".utf8)) else { return false }
        let trailer = bytes.suffix(trailerLength)
        let offsetSize = Int(trailer[trailer.startIndex + 6])
        guard (1...8).contains(offsetSize),
            let count = number(trailer.dropFirst(8).prefix(8)), let table = number(trailer.dropFirst(24)),
            count > 0, count <= bytes.count, table <= bytes.count - trailerLength,
            count * offsetSize <= bytes.count - trailerLength - table
        else { return false }
        for index in 0..<count {
            let start = table + index * offsetSize
            guard let offset = number(bytes[start..<(start + offsetSize)]), offset < table,
                isKindOfArchives(bytes[offset])
            else { return false }
        }
        return true
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        Int(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
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
