import Foundation
import ManagedObjectModel

/// The first 64 bytes of a binary store, numbers with the high byte first.
///
/// | offset | size | value |
/// |---|---|---|
/// | 0 | 8 | `CoreData` |
/// | 8 | 4 | 1 |
/// | 12 | 4 | 134481920, the version that XML stores have too |
/// | 16 | 16 | where the metadata is, and its length |
/// | 32 | 16 | where the objects are, and their length |
/// | 48 | 8 | the highest number given to an object (64, 61, 65 … in the fixtures) |
/// | 56 | 8 | 0 |
struct BinaryStoreHeader {
    private static let size = 64
    private static let magic = Data("CoreData".utf8)

    /// Whether a file, be it damaged further on or cut off, may begin so.
    static func begins(with head: Data) -> Bool { head.starts(with: magic) || magic.starts(with: head) }

    private static let formatVersion: UInt64 = 1
    private static let storeVersion: UInt64 = 134_481_920

    let lastReference: Int64
    private let metadataRange: Range<Int>
    private let objectsRange: Range<Int>

    /// - Throws: an error that says which part of the header leads nowhere.
    init(_ data: Data) throws {
        guard data.count >= Self.size, data.starts(with: Self.magic) else {
            throw ModelFileError(.malformed, "this is no binary store")
        }
        let version = Self.number(in: data, at: 8, size: 4)
        guard version == Self.formatVersion, Self.number(in: data, at: 12, size: 4) == Self.storeVersion else {
            throw ModelFileError(.unsupported, "the version of the store is \(version)", at: "byte 8")
        }
        metadataRange = try Self.range(in: data, at: 16, of: "the metadata")
        objectsRange = try Self.range(in: data, at: 32, of: "the objects")
        guard let last = Int64(exactly: Self.number(in: data, at: 48, size: 8)), last < StoredObject.highestReference
        else { throw ModelFileError(.malformed, "the last number of an object is too high", at: "byte 48") }
        lastReference = last
    }

    func metadata(in data: Data) -> Data { Self.part(metadataRange, of: data) }
    func objects(in data: Data) -> Data { Self.part(objectsRange, of: data) }

    /// A whole file: objects first, so that metadata can grow.
    static func file(objects: Data, metadata: Data, lastReference: Int64) -> Data {
        var file = magic
        append(formatVersion, size: 4, to: &file)
        append(storeVersion, size: 4, to: &file)
        let numbers = [size + objects.count, metadata.count, size, objects.count, Int(lastReference), 0]
        for number in numbers { append(UInt64(number), size: 8, to: &file) }
        return file + objects + metadata
    }

    private static func part(_ range: Range<Int>, of data: Data) -> Data {
        Data(data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)])
    }

    private static func range(in data: Data, at offset: Int, of what: String) throws -> Range<Int> {
        let start = number(in: data, at: offset, size: 8)
        let length = number(in: data, at: offset + 8, size: 8)
        let end = start.addingReportingOverflow(length)
        guard start >= size, !end.overflow, end.partialValue <= UInt64(data.count) else {
            throw ModelFileError(.malformed, "\(what) would be outside of the file", at: "byte \(offset)")
        }
        return Int(start)..<Int(end.partialValue)
    }

    private static func number(in data: Data, at offset: Int, size: Int) -> UInt64 {
        let start = data.startIndex + offset
        return data[start..<(start + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func append(_ number: UInt64, size: Int, to data: inout Data) {
        for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
            data.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }
}
