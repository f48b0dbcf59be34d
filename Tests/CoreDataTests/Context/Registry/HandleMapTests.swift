import Testing

@testable import CoreDataRows

@Suite("A map from handles to values")
struct HandleMapTests {
    /// Runs, as a store gives them out, in both directions; far apart; and the two ends of the range.
    enum Handles: CaseIterable {
        case runs, temporary, sparse, extreme

        func next(_ generator: inout SeededGenerator) -> Int64 {
            switch self {
            case .runs: Int64.random(in: 1...200, using: &generator)
            case .temporary: -Int64.random(in: 1...200, using: &generator)
            case .sparse: Int64.random(in: 0...150, using: &generator) << 40
            case .extreme: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max].randomElement(using: &generator)!
            }
        }
    }

    @Test(
        "holds what a dictionary holds, whatever is set, removed and made room for", arguments: Handles.allCases,
        0..<8 as Range<UInt64>)
    func likeDictionary(handles: Handles, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var map = HandleMap<Int32>()
        var expected: [Int64: Int32] = [:]
        for step in 0..<2_000 as Range<Int32> {
            let handle = handles.next(&generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                #expect(map.set(step, for: handle) == expected.updateValue(step, forKey: handle))
            case 5..<8:
                // Only where it is what the caller means.
                let wanted = Bool.random(using: &generator) ? expected[handle] : -1
                let isThere = wanted != nil && expected[handle] == wanted
                #expect(map.remove(handle, where: { $0 == wanted }) == isThere)
                if isThere { expected[handle] = nil }
            case 8: #expect(map[handle] == expected[handle])
            default: map.reserve(Int.random(in: 0..<64, using: &generator))
            }
            #expect(map.count == expected.count)
        }
        var held: [Int64: Int32] = [:]
        map.forEach { held[$0] = $1 }
        #expect(held == expected)
        for handle in expected.keys { #expect(map[handle] == expected[handle]) }
    }
}
