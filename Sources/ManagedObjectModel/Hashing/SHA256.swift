/// The state and rounds of SHA-256.
struct SHA256 {
    private(set) var state = Self.initialState
    private let constants = Self.roundConstants
    private var schedule = [UInt32](repeating: 0, count: 64)

    private static let initialState = SHA2.initialState.map { UInt32(truncatingIfNeeded: $0 >> 32) }
    private static let roundConstants = SHA2.roundConstants.prefix(64).map { UInt32(truncatingIfNeeded: $0 >> 32) }

    /// Takes in whole blocks of 64 bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        for start in stride(from: 0, to: bytes.count, by: 64) {
            for index in 0..<16 {
                let word = bytes.loadUnaligned(fromByteOffset: start + index * 4, as: UInt32.self)
                schedule[index] = UInt32(bigEndian: word)
            }
            for index in 16..<64 {
                let (late, early) = (schedule[index - 2], schedule[index - 15])
                let lateMix: UInt32 = (late >> 17 | late << 15) ^ (late >> 19 | late << 13) ^ (late >> 10)
                let earlyMix: UInt32 = (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ (early >> 3)
                schedule[index] = schedule[index - 16] &+ earlyMix &+ schedule[index - 7] &+ lateMix
            }
            compress()
        }
    }

    private mutating func compress() {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<64 {
            let lowMix: UInt32 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
            let highMix: UInt32 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
            let choice: UInt32 = (e & f) ^ (~e & g)
            let majority: UInt32 = (a & b) ^ (a & c) ^ (b & c)
            let first = h &+ lowMix &+ choice &+ constants[round] &+ schedule[round]
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ highMix &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
