import Foundation

/// The values of the users: a unique identifier in no order, and a name.
enum UserValues {
    static func identifier(_ row: Int) -> UUID {
        let first = mix(UInt64(row) &* 2 &+ 1)
        let second = mix(UInt64(row) &* 2 &+ 2)
        return withUnsafeBytes(of: (first, second)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    static func name(_ row: Int) -> String { "User \(row)" }

    /// SplitMix64: neighbours in, numbers without order out.
    private static func mix(_ seed: UInt64) -> UInt64 {
        var bits = seed &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
