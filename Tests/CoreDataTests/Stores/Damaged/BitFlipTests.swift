import Foundation
import Testing

@Suite("A store with damaged bits")
struct BitFlipTests {
    /// Set `COREDATA_BIT_FLIPS` for a longer run.
    static let variantCount =
        ProcessInfo.processInfo.environment["COREDATA_BIT_FLIPS"].flatMap { Int($0) } ?? 300
    static let batchSize = 50

    @Test(
        "is read, or is an error; nothing crashes, hangs, or changes what is only read",
        arguments: 0..<(variantCount + batchSize - 1) / batchSize)
    func flips(_ batch: Int) throws {
        let folder = try TemporaryFolder()
        let sound = folder.url.appendingPathComponent("Sound.sqlite")
        try DamagedStore.sound(at: sound)
        let bytes = [UInt8](try Data(contentsOf: sound))
        let stores = try (0..<Self.batchSize).map { place in
            let seed = UInt64(batch * Self.batchSize + place)
            let url = folder.url.appendingPathComponent("Seed\(seed).sqlite")
            try Data(Self.damage(bytes, seed: seed)).write(to: url)
            return url
        }
        let outcomes = try DamagedStore.outcomes(of: stores)
        for store in stores {
            let lines = outcomes[store.path] ?? []
            #expect(lines.last == "end" && lines.contains("unchanged"), "\(store.lastPathComponent): \(lines)")
        }
    }

    /// Some bits turned over, a piece of the file overwritten, or its end cut off.
    private static func damage(_ sound: [UInt8], seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes = sound
        switch seed % 8 {
        case 0:
            let start = Int.random(in: 0..<bytes.count, using: &random)
            let fill = UInt8.random(in: 0...255, using: &random)
            for place in start..<min(bytes.count, start + 64) { bytes[place] = fill }
        case 1:
            let page = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
            let other = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
            for place in 0..<4096 { bytes[page + place] = sound[other + place] }
        case 2:
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        case 3:
            // Where the headers of pages lie.
            let page = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
            for _ in 0..<3 {
                bytes[page + Int.random(in: 0..<100, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        default:
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        }
        return bytes
    }
}
