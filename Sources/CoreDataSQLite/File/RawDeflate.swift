import CZlib
import Foundation

/// DEFLATE without any header, as stores keep their model cache.
package enum RawDeflate {
    /// zlib's sign for "no header".
    private static let windowBits: Int32 = -15
    private static let chunkSize = 1 << 16

    /// - Parameter limit: the most bytes that may come out, so that a small hostile input can't fill the memory.
    /// - Throws: `NSFileReadCorruptFileError` for data that is damaged, cut off, or expands beyond the limit.
    package static func inflate(_ data: Data, limit: Int) throws -> Data {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw damaged("zlib failed") }
        defer { inflateEnd(&stream) }
        return try run(&stream, over: data, limit: limit) { CZlib.inflate(&$0, Z_NO_FLUSH) }
    }

    package static func deflate(_ data: Data) throws -> Data {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        let status = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        guard status == Z_OK else { throw damaged("zlib failed") }
        defer { deflateEnd(&stream) }
        return try run(&stream, over: data, limit: .max) { CZlib.deflate(&$0, Z_FINISH) }
    }

    private static func run(
        _ stream: inout z_stream, over data: Data, limit: Int, step: (inout z_stream) -> Int32
    ) throws -> Data {
        guard data.count <= Int(UInt32.max) else { throw damaged("it is too large") }
        var input = [UInt8](data)
        var output = Data()
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        try input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            while true {
                let (status, produced) = chunk.withUnsafeMutableBufferPointer { chunk in
                    stream.next_out = chunk.baseAddress
                    stream.avail_out = uInt(chunk.count)
                    let status = step(&stream)
                    return (status, chunk.count - Int(stream.avail_out))
                }
                output.append(contentsOf: chunk.prefix(produced))
                guard output.count <= limit else { throw damaged("it expands beyond \(limit) bytes") }
                if status == Z_STREAM_END { return }
                guard status == Z_OK, produced > 0 || stream.avail_in > 0 else { throw damaged("it is damaged") }
            }
        }
        return output
    }

    private static func damaged(_ what: String) -> NSError {
        SQLiteStoreError.error(.fileReadCorrupt, "compressed data can't be used: \(what)")
    }
}
