import CSwiftRuntime
import Foundation
import Synchronization

#if DEBUG && canImport(Runtime)
    import Runtime
#endif

/// Places of a program that call this package in a way that is worth a warning.
enum CallSite {
    private struct Known {
        /// The calls that were seen, by what the stack holds.
        var stacks: Set<Int> = []
        var places: Set<String> = []
        /// How long it has taken to find files and lines.
        var searched: Duration = .zero
    }

    private static let known = Mutex(Known())
    /// Deep enough for the program's own call; what called that in turn makes no other place of it.
    private static let maximumDepth = 12
    /// In a large program one line takes seconds to find. What comes after is told by function and offset.
    private static let longestSearch: Duration = .seconds(20)
    /// After this many different stacks nothing more is reported.
    private static let maximumStackCount = 10_000

    /// Where the program called the package just now; nil where that place was given before.
    static func new() -> String? {
        let addresses = returnAddresses()
        guard known.withLock({ $0.stacks.count < maximumStackCount && $0.stacks.insert(addresses.hashValue).inserted })
        else { return nil }
        let place = lineInTime() ?? text(of: addresses)
        return known.withLock { $0.places.insert(place).inserted } ? place : nil
    }

    private static func lineInTime() -> String? {
        guard known.withLock({ $0.searched < longestSearch }) else { return nil }
        let start = ContinuousClock.now
        defer { known.withLock { $0.searched += ContinuousClock.now - start } }
        return callingLine()
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

    #if DEBUG && canImport(Runtime)
        /// The file and line of the innermost call that isn't in this package or in code that is generated for it; the function
        /// where a program was built without lines.
        private static func callingLine() -> String? {
            // A place that can't be found out is left out of the message.
            guard let captured = try? Backtrace.capture(limit: 64),
                let frames = captured.symbolicated(options: [.showInlineFrames, .showSourceLocations])?.frames
            else { return nil }
            for frame in frames {
                guard let symbol = frame.symbol else { continue }
                guard let location = symbol.sourceLocation else { return "\(symbol.name) + \(symbol.offset)" }
                if location.line > 0, !isOurs(location.path) { return "\(location.path):\(location.line)" }
            }
            return nil
        }

        /// The folder that holds this package's targets.
        private static let sources =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/"

        private static func isOurs(_ path: String) -> Bool {
            let name = URL(fileURLWithPath: path).lastPathComponent
            // What is compiled from C may have a path from the package's folder.
            return path.hasPrefix(sources) || name == "CMetatypes.c" || path.contains("<compiler-generated>")
                || name == "contents"
                || name.hasSuffix("+ManagedBodies.swift") || name.hasSuffix("+CoreDataClasses.swift")
                || !path.contains("/")
        }
    #else
        private static func callingLine() -> String? { nil }
    #endif
}
