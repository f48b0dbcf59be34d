import CLibPQ
import Foundation

/// The values of a statement's parameters in the server's binary form, one behind the other, each behind its length: which is
/// the form that COPY takes as well.
struct PostgreSQLParameters {
    private(set) var types: [PostgreSQLType] = []
    private(set) var bytes: [UInt8] = []
    /// Where each value begins in the bytes; -1 for null.
    private var starts: [Int] = []

    var count: Int { starts.count }

    mutating func removeAll() {
        types.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
    }

    // MARK: Values

    mutating func appendNull(_ type: PostgreSQLType) {
        types.append(type)
        starts.append(-1)
        appendRaw(Int32(-1))
    }

    mutating func append(_ value: Int64) { append(fixed: value, .int8) }
    mutating func append(_ value: Int32) { append(fixed: value, .int4) }
    mutating func append(_ value: Int16) { append(fixed: value, .int2) }
    mutating func append(_ value: Double) { append(fixed: value.bitPattern, .float8) }
    mutating func append(_ value: Float) { append(fixed: value.bitPattern, .float4) }
    mutating func append(_ value: Bool) { append(fixed: UInt8(value ? 1 : 0), .boolean) }

    mutating func append(_ value: String) {
        var value = value
        value.withUTF8 { append(UnsafeRawBufferPointer($0), .text) }
    }

    mutating func append(_ value: Data) { value.withUnsafeBytes { append($0, .bytes) } }
    mutating func append(_ value: UUID) { withUnsafeBytes(of: value.uuid) { append($0, .uuid) } }

    mutating func append(_ value: Decimal) {
        let encoded = PostgreSQLNumeric.bytes(of: value)
        encoded.withUnsafeBytes { append($0, .numeric) }
    }

    /// A one-dimensional array without nulls.
    mutating func append(_ values: some Collection<Int64>) {
        begin(.int8Array, count: 20 + values.count * 12)
        // Dimensions, whether there are nulls, the type of the elements, their number, the first index.
        for part in [Int32(1), 0, Int32(PostgreSQLType.int8.rawValue), Int32(values.count), 1] { appendRaw(part) }
        bytes.reserveCapacity(bytes.count + values.count * 12)
        for value in values {
            appendRaw(Int32(8))
            appendRaw(value)
        }
    }

    /// A one-dimensional array of texts, some of which may be missing.
    mutating func append(texts: some Collection<String?>) {
        let count = texts.reduce(20) { $0 + 4 + ($1?.utf8.count ?? 0) }
        begin(.textArray, count: count)
        let hasNulls: Int32 = texts.contains { $0 == nil } ? 1 : 0
        for part in [1, hasNulls, Int32(PostgreSQLType.text.rawValue), Int32(texts.count), 1] { appendRaw(part) }
        bytes.reserveCapacity(bytes.count + count)
        for text in texts {
            appendRaw(Int32(text?.utf8.count ?? -1))
            if var text { text.withUTF8 { bytes.append(contentsOf: $0) } }
        }
    }

    mutating func append(_ text: String?) {
        if let text { append(text) } else { appendNull(.text) }
    }

    // MARK: Bytes

    private mutating func begin(_ type: PostgreSQLType, count: Int) {
        types.append(type)
        appendRaw(Int32(count))
        starts.append(bytes.count)
    }

    private mutating func append(_ value: UnsafeRawBufferPointer, _ type: PostgreSQLType) {
        begin(type, count: value.count)
        bytes.append(contentsOf: value)
    }

    private mutating func append(fixed value: some FixedWidthInteger, _ type: PostgreSQLType) {
        begin(type, count: value.bitWidth / 8)
        appendRaw(value)
    }

    private mutating func appendRaw(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    // MARK: Handing over

    /// What libpq's functions take.
    struct Pointers {
        let count: Int32
        let types: UnsafePointer<Oid>?
        let values: UnsafePointer<UnsafePointer<CChar>?>?
        let lengths: UnsafePointer<Int32>?
        let formats: UnsafePointer<Int32>?
    }

    func withPointers<Result>(_ body: (Pointers) throws -> Result) rethrows -> Result {
        let oids = types.map(\.rawValue)
        let formats = [Int32](repeating: 1, count: count)
        return try bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress
            var values: [UnsafePointer<CChar>?] = []
            var lengths: [Int32] = []
            values.reserveCapacity(count)
            lengths.reserveCapacity(count)
            for start in starts {
                guard start >= 0, let base else {
                    values.append(nil)
                    lengths.append(0)
                    continue
                }
                // An empty value may begin where the bytes end; libpq only looks whether there is a pointer.
                values.append((base + start).assumingMemoryBound(to: CChar.self))
                lengths.append(Int32(bigEndian: (base + start - 4).loadUnaligned(as: Int32.self)))
            }
            return try oids.withUnsafeBufferPointer { oids in
                try values.withUnsafeBufferPointer { values in
                    try lengths.withUnsafeBufferPointer { lengths in
                        try formats.withUnsafeBufferPointer { formats in
                            try body(
                                Pointers(
                                    count: Int32(count), types: oids.baseAddress, values: values.baseAddress,
                                    lengths: lengths.baseAddress, formats: formats.baseAddress))
                        }
                    }
                }
            }
        }
    }
}
