import Foundation
import Fuzzing
import Testing

@Suite("What make fuzz feeds the parsers with")
struct FuzzTargetTests {
    @Test("Each target has seeds, and takes them and what is cut off from them", arguments: FuzzTarget.allCases)
    func seeds(target: FuzzTarget) throws {
        let seeds = try target.seeds()
        #expect(!seeds.isEmpty)
        for seed in seeds {
            target.run(seed)
            let step = max(1, seed.count / 40)
            for length in stride(from: 0, to: seed.count, by: step) { target.run(seed.prefix(length)) }
        }
    }
}
