import Foundation
import Synchronization

/// Standard output with a buffer, so that printing a row costs no system call.
final class StandardOutput: Sendable {
    static let shared = StandardOutput()

    private let buffer = Mutex<[UInt8]>([])
    private static let capacity = 1 << 16

    func write(_ text: String) throws {
        try buffer.withLock { buffer in
            buffer.append(contentsOf: text.utf8)
            if buffer.count >= Self.capacity {
                try Self.drain(&buffer)
            }
        }
    }

    func writeLine(_ text: String = "") throws {
        try write(text + "\n")
    }

    func flush() throws {
        try buffer.withLock { try Self.drain(&$0) }
    }

    private static func drain(_ buffer: inout [UInt8]) throws {
        try FileHandle.standardOutput.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
