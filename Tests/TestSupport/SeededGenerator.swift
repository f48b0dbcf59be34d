import Foundation

/// Random numbers that are the same for the same seed on every machine (SplitMix64), so that a failing test can be repeated.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// What the sequence began with, for the message of a failing test.
    package let seed: UInt64
    private var state: UInt64

    package init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Which seeds a suite of random programs runs.
package enum ProgramSeeds {
    /// As many seeds as `COREDATA_PROGRAMS` wants, from the suite's own first one, or from `COREDATA_PROGRAM_SEED`, which repeats
    /// a program that has failed.
    package static func seeds(from first: UInt64, usually count: UInt64) -> Range<UInt64> {
        func number(_ name: String) -> UInt64? { ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } }
        let repeated = number("COREDATA_PROGRAM_SEED")
        let first = repeated ?? first
        return first..<first + (number("COREDATA_PROGRAMS") ?? (repeated == nil ? count : 1))
    }
}
