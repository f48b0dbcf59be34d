import CSwiftRuntime
import Dispatch
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
        /// What is to be told once its place is found, by number.
        var waiting: [Int: Waiting] = [:]
        var lastNumber = 0
    }

    private struct Waiting {
        let addresses: [UInt]
        let report: @Sendable (_ place: String) -> Void
    }

    private static let known = Mutex(Known())
    /// Deep enough for the program's own call, which an initialiser with a context is some twenty calls below.
    private static let maximumDepth = 28
    /// The function in C that finds the calls out, and what it is called by.
    private static let ownCalls = 2
    /// In a large program one line takes seconds to find. What comes after is told by function and offset.
    private static let longestSearch: Duration = .seconds(20)
    /// After this many different stacks nothing more is reported.
    private static let maximumStackCount = 10_000

    /// Where the program has called the package, before that is known by file and line.
    struct Search: Sendable {
        fileprivate let addresses: [UInt]

        /// Finds the place, and hands it over unless it was given before. A line can take seconds to find, for which the program
        /// doesn't wait, but when it ends.
        func start(_ report: @escaping @Sendable (_ place: String) -> Void) {
            _ = CallSite.waitAtExit
            let number = CallSite.known.withLock { known in
                known.lastNumber += 1
                known.waiting[known.lastNumber] = Waiting(addresses: addresses, report: report)
                return known.lastNumber
            }
            CallSite.searches.async(group: CallSite.underWay) {
                let place =
                    CallSite.isKnown(addresses) ? nil : CallSite.lineInTime(addresses) ?? CallSite.text(of: addresses)
                CallSite.tell(number, at: place)
            }
        }
    }

    private static let searches = DispatchQueue(label: "CoreData.CallSite")
    private static let underWay = DispatchGroup()
    private static let waitAtExit: Void = {
        // Where it can't be arranged, a program that ends at once isn't told.
        _ = atexit {
            guard CallSite.underWay.wait(timeout: .now() + 60) == .timedOut else { return }
            // As with the sanitizers, by which a line takes minutes to find.
            for (number, waiting) in CallSite.known.withLock({ $0.waiting }).sorted(by: { $0.key < $1.key }) {
                let addresses = waiting.addresses
                CallSite.tell(number, at: CallSite.isKnown(addresses) ? nil : CallSite.text(of: addresses))
            }
        }
    }()

    private static func isKnown(_ addresses: [UInt]) -> Bool {
        known.withLock { !$0.calls.isDisjoint(with: addresses) }
    }

    /// Tells what waits for a place, unless the place is nil or was told before.
    private static func tell(_ number: Int, at place: String?) {
        let waiting = known.withLock { known in
            let waiting = known.waiting.removeValue(forKey: number)
            return place.map { known.places.insert($0).inserted } == true ? waiting : nil
        }
        if let place { waiting?.report(place) }
    }

    /// The search for the place where the program called the package just now; nil where that was given before, or this is inside of
    /// such a call.
    static func new() -> Search? {
        let addresses = returnAddresses()
        let isNew = known.withLock { known in
            known.stacks.count < maximumStackCount && known.stacks.insert(addresses.hashValue).inserted
                && known.calls.isDisjoint(with: addresses)
        }
        return isNew ? Search(addresses: addresses) : nil
    }

    private static func lineInTime(_ addresses: [UInt]) -> String? {
        guard known.withLock({ $0.searched < longestSearch }) else { return nil }
        let start = processorTime
        defer { known.withLock { $0.searched += processorTime - start } }
        guard let call = callingLine(addresses) else { return nil }
        known.withLock { _ = $0.calls.insert(call.returnAddress) }
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
        let frames = addresses.dropFirst(ownCalls).prefix(10).map { address -> String in
            var offset = 0
            guard let file = image_of_address(UnsafeRawPointer(bitPattern: address), &offset) else {
                return "0x" + String(address, radix: 16)
            }
            return "\(URL(fileURLWithPath: String(cString: file)).lastPathComponent)+0x\(String(offset, radix: 16))"
        }
        return frames.joined(separator: " < ")
    }

    private static func callingLine(_ addresses: [UInt]) -> (place: String, returnAddress: UInt)? {
        #if DEBUG && canImport(Runtime)
            CallingLine.search(Array(addresses.dropFirst(ownCalls))).map { ($0.place, $0.returnAddress) }
        #else
            nil
        #endif
    }
}
