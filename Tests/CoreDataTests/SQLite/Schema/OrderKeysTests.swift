import CoreDataRows
import Testing

@testable import CoreData

@Suite("The numbers that keep an order")
struct OrderKeysTests {
    @Test("a new order begins with 2048 and goes on in steps of 1024")
    func fresh() {
        #expect(OrderKeys.assign([nil, nil, nil]) == [2048, 3072, 4096])
        #expect(OrderKeys.assign([]) == [])
    }

    @Test("what comes between or before uses the gap, what comes after another step")
    func gaps() {
        #expect(OrderKeys.assign([2048, nil, 3072]) == [2048, 2560, 3072])
        #expect(OrderKeys.assign([nil, 2048]) == [1024, 2048])
        #expect(OrderKeys.assign([2048, nil, nil]) == [2048, 3072, 4096])
    }

    @Test("where the gap is too narrow, all get new numbers")
    func renumbering() {
        #expect(OrderKeys.assign([5, nil, 6]) == [2048, 3072, 4096])
    }

    @Test("numbers rise, and few change, for any order of any numbers")
    func property() {
        for seed in 0..<500 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let count = Int.random(in: 0..<40, using: &generator)
            let existing = (0..<count).map { _ in
                Bool.random(using: &generator) ? Int64.random(in: 1...100_000, using: &generator) : nil
            }
            let numbers = OrderKeys.assign(existing)
            #expect(numbers.count == count, "seed \(seed)")
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
            #expect(numbers.allSatisfy { $0 > 0 }, "seed \(seed)")
        }
        let sorted = (1...100).map { Optional(Int64($0 * 1024)) }
        let moved = [sorted[50]] + sorted[..<50] + sorted[51...]
        let changed = zip(OrderKeys.assign(moved), moved).filter { $0 != $1 }
        #expect(changed.count == 1)
    }
}
