import Foundation
import FoundationCompat

/// Reads binary property lists ("bplist00") from untrusted bytes: every offset is checked, nesting is limited, and
/// shared objects are read once.
struct BinaryPropertyListReader {
    /// Deeper nesting than any archive of a model has.
    private static let maximumDepth = 128

    private let bytes: [UInt8]
    private var offsetSize = 0
    private var referenceSize = 0
    private var objectCount = 0
    private var offsetTable = 0
    private var states: [State] = []
    /// How many references may still be read. No more than the file has bytes can be in it.
    private var remainingReferences: Int

    /// How many values the list may unfold into, where containers are shared: as often as they are referred to.
    private let maximumWeight: Int

    private enum State {
        case unread
        case beingRead
        /// The weight is the number of values that the node unfolds into.
        case read(PropertyListNode, weight: Int)
    }

    static func read(_ data: Data) throws -> PropertyListNode {
        var reader = BinaryPropertyListReader(bytes: [UInt8](data))
        let top = try reader.readTrailer()
        return try reader.object(at: top, depth: 0).node
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        remainingReferences = bytes.count
        maximumWeight = max(1 << 20, 8 * bytes.count)
    }

    /// Reads where everything is, and returns the number of the top object.
    private mutating func readTrailer() throws -> Int {
        guard bytes.count >= 8 + BinaryPropertyListTrailer.length else { throw malformed("it ends too early") }
        guard let trailer = BinaryPropertyListTrailer(bytes), (1...8).contains(trailer.referenceSize),
            trailer.offsetTable >= 8,
            trailer.topObject < trailer.objectCount
        else { throw malformed("its trailer makes no sense") }
        (offsetSize, referenceSize) = (trailer.offsetSize, trailer.referenceSize)
        (objectCount, offsetTable) = (trailer.objectCount, trailer.offsetTable)
        states = [State](repeating: .unread, count: objectCount)
        return trailer.topObject
    }

    private mutating func object(at index: Int, depth: Int) throws -> (node: PropertyListNode, weight: Int) {
        guard index < objectCount else { throw malformed("it refers to an object that it does not have") }
        switch states[index] {
        case .read(let node, let weight): return (node, weight)
        case .beingRead: throw malformed("an object contains itself", index)
        case .unread: break
        }
        guard depth <= Self.maximumDepth else {
            throw ModelFileError(.tooLarge, "the property list is nested more than \(Self.maximumDepth) levels deep")
        }
        states[index] = .beingRead
        let offset = try unsigned(at: offsetTable + index * offsetSize, size: offsetSize)
        var weight = 1
        let node = try parse(at: offset, index: index, depth: depth, weight: &weight)
        states[index] = .read(node, weight: weight)
        return (node, weight)
    }

    private mutating func parse(at offset: Int, index: Int, depth: Int, weight: inout Int) throws -> PropertyListNode {
        guard offset >= 8, offset < offsetTable else { throw malformed("an object lies outside", index) }
        let marker = bytes[offset]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0:
            switch low {
            case 8: return .boolean(false)
            case 9: return .boolean(true)
            default: throw malformed("a value has an unknown type", index)
            }
        case 0x1:
            guard low <= 4 else { throw malformed("an integer is too long", index) }
            return try integer(at: offset + 1, size: 1 << low, index)
        case 0x2: return .real(try real(at: offset + 1, size: 1 << low, index))
        case 0x3: return .date(Date(timeIntervalSinceReferenceDate: try real(at: offset + 1, size: 8, index)))
        case 0x4:
            let (start, count) = try extent(at: offset, low: low, width: 1, index)
            return .data(Data(bytes[start..<start + count]))
        case 0x5:
            let (start, count) = try extent(at: offset, low: low, width: 1, index)
            return .string(String(decoding: bytes[start..<start + count], as: UTF8.self))
        case 0x6:
            let (start, count) = try extent(at: offset, low: low, width: 2, index)
            let units = (0..<count).map { UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1]) }
            return .string(String(decoding: units, as: UTF16.self))
        case 0x8: return .uid(try unsigned(at: offset + 1, size: low + 1))
        case 0xA, 0xC:
            let (start, count) = try extent(at: offset, low: low, width: referenceSize, index)
            return .array(
                try references(at: start, count: count).map { try member(at: $0, depth: depth + 1, weight: &weight) })
        case 0xD:
            let (start, count) = try extent(at: offset, low: low, width: 2 * referenceSize, index)
            return try dictionary(at: start, count: count, index: index, depth: depth, weight: &weight)
        default: throw malformed("a value has an unknown type", index)
        }
    }

    /// An object of a container, whose weight it adds to.
    private mutating func member(at index: Int, depth: Int, weight: inout Int) throws -> PropertyListNode {
        let (node, added) = try object(at: index, depth: depth)
        weight += added
        guard weight <= maximumWeight else { throw ModelFileError(.tooLarge, "the property list expands too much") }
        return node
    }

    private mutating func dictionary(
        at start: Int, count: Int, index: Int, depth: Int, weight: inout Int
    ) throws -> PropertyListNode {
        let keys = try references(at: start, count: count)
        let values = try references(at: start + count * referenceSize, count: count)
        var result: [String: PropertyListNode] = [:]
        result.reserveCapacity(count)
        for (keyIndex, valueIndex) in zip(keys, values) {
            guard case .string(let key) = try member(at: keyIndex, depth: depth + 1, weight: &weight) else {
                throw malformed("a dictionary has a key that is no string", index)
            }
            result[key] = try member(at: valueIndex, depth: depth + 1, weight: &weight)
        }
        return .dictionary(result)
    }

    private mutating func references(at start: Int, count: Int) throws -> [Int] {
        remainingReferences -= count
        guard remainingReferences >= 0 else { throw ModelFileError(.tooLarge, "the property list expands too much") }
        return try (0..<count).map { try unsigned(at: start + $0 * referenceSize, size: referenceSize) }
    }

    /// Where the contents of a container begin and how many items of that width they are.
    private func extent(at offset: Int, low: Int, width: Int, _ index: Int) throws -> (start: Int, count: Int) {
        var start = offset + 1
        var count = low
        if low == 0x0F {
            guard start < offsetTable, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else {
                throw malformed("a length is missing", index)
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            count = try unsigned(at: start + 1, size: size)
            start += 1 + size
        }
        guard start <= offsetTable, count <= (offsetTable - start) / width else {
            throw malformed("an object is longer than the file", index)
        }
        return (start, count)
    }

    private func unsigned(at offset: Int, size: Int) throws -> Int {
        guard offset >= 0, size <= 8, offset <= bytes.count - size else { throw malformed("it ends too early") }
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let result = Int(exactly: value) else { throw malformed("a number is out of range") }
        return result
    }

    private func integer(at offset: Int, size: Int, _ index: Int) throws -> PropertyListNode {
        guard offset <= bytes.count - size else { throw malformed("it ends too early") }
        let digits = bytes[offset..<offset + size]
        let low = digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard size == 16 else { return .integer(Int(truncatingIfNeeded: low)) }
        // Integers of sixteen bytes hold those without a sign in their lower half.
        let high = digits.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch (high, Int(exactly: low)) {
        case (0, let value?): return .integer(value)
        case (0, nil): return .unsigned(low)
        case (.max, nil): return .integer(Int(truncatingIfNeeded: low))
        default: throw malformed("a number is out of range", index)
        }
    }

    private func real(at offset: Int, size: Int, _ index: Int) throws -> Double {
        guard offset <= bytes.count - size else { throw malformed("it ends too early") }
        let pattern = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
        case 8: return Double(bitPattern: pattern)
        default: throw malformed("a real number has an odd length", index)
        }
    }

    private func malformed(_ what: String, _ index: Int? = nil) -> ModelFileError {
        ModelFileError(.malformed, "the binary property list is damaged: \(what)", at: index.map { "object \($0)" })
    }
}
