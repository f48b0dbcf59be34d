/// The rounds of SHA-256.
enum SHA256 {
    /// A digest: eight words in the order and with the bytes that they have in a file.
    typealias Digest = SIMD8<UInt32>

    private static let blockSize = 64
    private static let initialState = SHA2.initialState.map { UInt32(truncatingIfNeeded: $0 >> 32) }
    private static let roundConstants = SHA2.roundConstants.prefix(64).map { UInt32(truncatingIfNeeded: $0 >> 32) }

    static func digest(of message: UnsafeRawBufferPointer) -> Digest {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 8 + 64) { words in
            roundConstants.withUnsafeBufferPointer { constants in
                for (index, word) in initialState.enumerated() { words[index] = word }
                let whole = message.count / blockSize * blockSize
                for start in stride(from: 0, to: whole, by: blockSize) {
                    take(UnsafeRawBufferPointer(rebasing: message[start..<start + blockSize]), words, constants)
                }
                takeEnd(of: message, from: whole, words, constants)
            }
            var digest = Digest()
            for index in 0..<8 { digest[index] = words[index].bigEndian }
            return digest
        }
    }

    /// Takes in what no whole block has: the rest of the message, a one bit, zeros, and the message's length in bits.
    private static func takeEnd(
        of message: UnsafeRawBufferPointer, from whole: Int, _ words: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        let rest = message.count - whole
        let size = rest + 9 <= blockSize ? blockSize : 2 * blockSize
        withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { end in
            end.initializeMemory(as: UInt8.self, repeating: 0)
            end.copyMemory(from: UnsafeRawBufferPointer(rebasing: message[whole...]))
            end[rest] = 0x80
            end.storeBytes(of: UInt64(message.count * 8).bigEndian, toByteOffset: size - 8, as: UInt64.self)
            for start in stride(from: 0, to: size, by: blockSize) {
                take(UnsafeRawBufferPointer(rebasing: end[start..<start + blockSize]), words, constants)
            }
        }
    }

    /// Takes in one block.
    ///
    /// - Parameter words: the eight words of the state, and room for the 64 of the block's schedule.
    private static func take(
        _ block: UnsafeRawBufferPointer, _ words: UnsafeMutableBufferPointer<UInt32>,
        _ constants: UnsafeBufferPointer<UInt32>
    ) {
        let schedule = UnsafeMutableBufferPointer(rebasing: words[8...])
        for index in 0..<16 {
            schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
        }
        for index in 16..<64 {
            let (late, early) = (schedule[index - 2], schedule[index - 15])
            let lateMix: UInt32 = (late >> 17 | late << 15) ^ (late >> 19 | late << 13) ^ (late >> 10)
            let earlyMix: UInt32 = (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ (early >> 3)
            schedule[index] = schedule[index - 16] &+ earlyMix &+ schedule[index - 7] &+ lateMix
        }
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for round in 0..<64 {
            let lowMix: UInt32 = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
            let highMix: UInt32 = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
            let choice: UInt32 = g ^ (e & (f ^ g))
            let majority: UInt32 = (a & b) | (c & (a | b))
            let first = h &+ lowMix &+ choice &+ constants[round] &+ schedule[round]
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ highMix &+ majority)
        }
        words[0] &+= a
        words[1] &+= b
        words[2] &+= c
        words[3] &+= d
        words[4] &+= e
        words[5] &+= f
        words[6] &+= g
        words[7] &+= h
    }
}
