import Foundation

/// Comparisons of text as bytes, ignoring the case of ASCII letters if asked for.
enum ASCIIText {
    typealias Bytes = UnsafeBufferPointer<UInt8>

    static func isASCII(_ bytes: Bytes) -> Bool {
        var all: UInt8 = 0
        for byte in bytes {
            all |= byte
        }
        return all < 0x80
    }

    @inline(__always)
    private static func folded(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether the part is found at a place where there is room for it.
    static func matches(_ bytes: Bytes, _ part: Bytes, at offset: Int, ignoringCase: Bool) -> Bool {
        if ignoringCase {
            for index in 0..<part.count where folded(bytes[offset + index]) != folded(part[index]) {
                return false
            }
        } else {
            for index in 0..<part.count where bytes[offset + index] != part[index] {
                return false
            }
        }
        return true
    }

    static func contains(_ bytes: Bytes, _ part: Bytes, ignoringCase: Bool) -> Bool {
        guard part.count <= bytes.count else { return false }
        return (0...(bytes.count - part.count)).contains {
            matches(bytes, part, at: $0, ignoringCase: ignoringCase)
        }
    }

    static func order(_ left: Bytes, _ right: Bytes, ignoringCase: Bool) -> ComparisonResult {
        for index in 0..<min(left.count, right.count) {
            let leftByte = ignoringCase ? folded(left[index]) : left[index]
            let rightByte = ignoringCase ? folded(right[index]) : right[index]
            if leftByte != rightByte {
                return leftByte < rightByte ? .orderedAscending : .orderedDescending
            }
        }
        return left.count == right.count
            ? .orderedSame : left.count < right.count ? .orderedAscending : .orderedDescending
    }
}
