/// The state and rounds of SHA-512.
struct SHA512 {
    private(set) var state = SHA2.initialState
    private let constants = SHA2.roundConstants
    private var schedule = [UInt64](repeating: 0, count: 80)

    /// Takes in whole blocks of 128 bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        for start in stride(from: 0, to: bytes.count, by: 128) {
            for index in 0..<16 {
                let word = bytes.loadUnaligned(fromByteOffset: start + index * 8, as: UInt64.self)
                schedule[index] = UInt64(bigEndian: word)
            }
            for index in 16..<80 {
                let (late, early) = (schedule[index - 2], schedule[index - 15])
                let lateMix: UInt64 = (late >> 19 | late << 45) ^ (late >> 61 | late << 3) ^ (late >> 6)
                let earlyMix: UInt64 = (early >> 1 | early << 63) ^ (early >> 8 | early << 56) ^ (early >> 7)
                schedule[index] = schedule[index - 16] &+ earlyMix &+ schedule[index - 7] &+ lateMix
            }
            compress()
        }
    }

    private mutating func compress() {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for round in 0..<80 {
            let lowMix: UInt64 = (e >> 14 | e << 50) ^ (e >> 18 | e << 46) ^ (e >> 41 | e << 23)
            let highMix: UInt64 = (a >> 28 | a << 36) ^ (a >> 34 | a << 30) ^ (a >> 39 | a << 25)
            let choice: UInt64 = (e & f) ^ (~e & g)
            let majority: UInt64 = (a & b) ^ (a & c) ^ (b & c)
            let first = h &+ lowMix &+ choice &+ constants[round] &+ schedule[round]
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ highMix &+ majority)
        }
        for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
    }
}
