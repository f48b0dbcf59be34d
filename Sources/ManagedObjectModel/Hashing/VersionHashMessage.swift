import Foundation

/// What a version hash is the digest of.
///
/// A message mostly consists of other hashes. These are made in place, at the end of the message that they belong to.
struct VersionHashMessage {
    private var bytes: [UInt8] = []

    /// The digest of what a closure appends, 32 bytes.
    static func hash(of content: (inout VersionHashMessage) -> Void) -> Data {
        var message = VersionHashMessage()
        message.bytes.reserveCapacity(1024)
        message.appendHash(of: content)
        return Data(message.bytes)
    }

    /// Appends the digest of what a closure appends.
    mutating func appendHash(of content: (inout VersionHashMessage) -> Void) {
        let start = bytes.count
        content(&self)
        let digest = bytes.withUnsafeBytes { SHA256.digest(of: UnsafeRawBufferPointer(rebasing: $0[start...])) }
        bytes.removeLast(bytes.count - start)
        withUnsafeBytes(of: digest) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ hash: Data) {
        bytes.append(contentsOf: hash)
    }

    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
