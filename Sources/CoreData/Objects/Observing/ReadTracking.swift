import CSwiftRuntime
import Observation

/// Whether reads are being tracked, on the current thread, by `withObservationTracking`.
///
/// Every read of a property asks, so it has to cost next to nothing. The library's own variable is looked at; where that
/// lies is found by trying, and where it can't be found, every read counts as tracked: correct, but slower.
enum ReadTracking {
    @inline(__always)
    static var isOn: Bool { thread_may_track_reads() && isReallyOn() }

    @inline(never)
    private static func isReallyOn() -> Bool {
        if !thread_knows_observation_slot() { findSlot() }
        return thread_may_track_reads()
    }

    private static func findSlot() {
        let slot = offset.flatMap { offset in variables()?.loadAddress(at: offset) }
        set_observation_slot(slot)
    }

    /// The place among the library's thread-local variables that isn't null inside `withObservationTracking` and only there.
    private static let offset: Int? = {
        guard let before = variables()?.words else { return nil }
        var within: [UInt] = []
        withObservationTracking {
            Probe().touch()
            within = variables()?.words ?? []
        } onChange: {
        }
        let after = variables()?.words ?? []
        guard within.count == before.count, after.count == before.count else { return nil }
        let candidates = before.indices.filter { index in
            within[index] != 0 && within[index] != before[index] && after[index] == before[index]
        }
        return candidates.count == 1 ? candidates[0] : nil
    }()

    private static func variables() -> ThreadVariables? {
        // The variables of a thread come into being when the library first looks at them.
        withObservationTracking({}, onChange: {})
        var size = 0
        let anythingOfTheLibrary = unsafeBitCast(ObservationRegistrar.self as Any.Type, to: UnsafeRawPointer.self)
        guard let start = thread_variables_of_library(anythingOfTheLibrary, &size) else { return nil }
        return ThreadVariables(start: start, count: size / MemoryLayout<UInt>.size)
    }

    private struct ThreadVariables {
        let start: UnsafeRawPointer
        let count: Int

        var words: [UInt] {
            (0..<count).map { start.load(fromByteOffset: $0 * MemoryLayout<UInt>.size, as: UInt.self) }
        }

        func loadAddress(at index: Int) -> UnsafePointer<UnsafeMutableRawPointer?>? {
            guard index < count else { return nil }
            return start.advanced(by: index * MemoryLayout<UInt>.size)
                .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
        }
    }

    private final class Probe: Observable {
        private let registrar = ObservationRegistrar()
        private var value: Int { 0 }

        func touch() { registrar.access(self, keyPath: \.value) }
    }
}
