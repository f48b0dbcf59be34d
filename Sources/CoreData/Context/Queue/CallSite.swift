import CSwiftRuntime
import Foundation
import Synchronization

/// Places of a program that call this package in a way that is worth a warning.
enum CallSite {
    private struct Known {
        /// The calls that were seen, by what the stack holds.
        var stacks: Set<Int> = []
        var places: Set<String> = []
        /// Where the program's calls that were told of return to.
        var calls: Set<UInt> = []
        /// How long it has taken to find files and lines.
        var searched: Duration = .zero
    }

    private static let known = Mutex(Known())
    /// Deep enough for the program's own call, which an initialiser with a context is some twenty calls below.
    private static let maximumDepth = 28
    /// In a large program one line takes seconds to find. What comes after is told by function and offset.
    private static let longestSearch: Duration = .seconds(20)
    /// After this many different stacks nothing more is reported.
    private static let maximumStackCount = 10_000

    /// Where the program called the package just now; nil where that place was given before, or this is inside of such a call.
    static func new() -> String? {
        let addresses = returnAddresses()
        let isNew = known.withLock { known in
            known.stacks.count < maximumStackCount && known.stacks.insert(addresses.hashValue).inserted
                && known.calls.isDisjoint(with: addresses)
        }
        guard isNew else { return nil }
        let place = lineInTime() ?? text(of: addresses)
        return known.withLock { $0.places.insert(place).inserted } ? place : nil
    }

    private static func lineInTime() -> String? {
        guard known.withLock({ $0.searched < longestSearch }) else { return nil }
        let start = processorTime
        defer { known.withLock { $0.searched += processorTime - start } }
        guard let call = callingLine() else { return nil }
        if let address = call.returnAddress { known.withLock { _ = $0.calls.insert(address) } }
        return call.place
    }

    /// Of this thread, so that a busy machine finds no fewer lines.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static func returnAddresses() -> [UInt] {
        withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: maximumDepth) { buffer in
            let count = Int(return_addresses(buffer.baseAddress, Int32(maximumDepth)))
            return buffer.prefix(count).compactMap { $0.map { UInt(bitPattern: $0) } }
        }
    }

    /// For a build that can't tell lines: what `addr2line` takes.
    private static func text(of addresses: [UInt]) -> String {
        let frames = addresses.dropFirst(2).prefix(10).map { address -> String in
            var offset = 0
            guard let file = image_of_address(UnsafeRawPointer(bitPattern: address), &offset) else {
                return "0x" + String(address, radix: 16)
            }
            return "\(URL(fileURLWithPath: String(cString: file)).lastPathComponent)+0x\(String(offset, radix: 16))"
        }
        return frames.joined(separator: " < ")
    }

    private static func callingLine() -> (place: String, returnAddress: UInt?)? {
        #if DEBUG && canImport(Runtime)
            CallingLine.search().map { ($0.place, $0.returnAddress) }
        #else
            nil
        #endif
    }
}
