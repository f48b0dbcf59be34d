import Foundation
import FoundationCompat
import Testing

@Suite("Sets of Foundation's are made of literals and become sets of Swift")
struct SetLiteralTests {
    private func count(_ set: NSSet) -> Int { set.count }
    private func kind(_ set: NSSet) -> String { "set" }
    private func kind(_ array: [Int]) -> String { "array" }

    @Test func `they are assigned and passed`() {
        var set: NSSet? = [1, "x", 1]
        #expect(set == NSSet(array: [1, "x"]))
        set = []
        #expect(set?.count == 0)
        #expect(count([1, 2]) == 2)
    }

    @Test func `a literal alone stays an array`() {
        let numbers: Any = [1, 2]
        #expect(numbers is [Int])
        #expect(kind([1]) == "array")
    }

    private final class Pet: NSObject {}

    @Test func `a set is bridged by its initialiser as a function, as apps write it`() {
        let pets: NSSet? = [Pet(), Pet()]
        #expect(pets.flatMap(Set<Pet>.init)?.count == 2)
        #expect((pets.flatMap(Set<NSObject>.init) ?? []).count == 2)
        let names: NSSet? = ["x"]
        #expect(names.flatMap(Set<Pet>.init) == nil)
        #expect(names.flatMap(Set<String>.init) == ["x"])
    }

    @Test func `other initialisers of sets are found as before`() {
        let empty: Set<Int> = .init()
        #expect(empty == Set<Int>([]))
        #expect([[1], [2]].map(Set.init) == [[1], [2]])
        #expect([[1], [2]].map(Set<Int>.init) == [[1], [2]])
        #expect(Optional(["a"]).flatMap(Set.init) == ["a"])
        #expect(Set([1, 2].lazy.map { $0 + 1 }) == Set(2...3))
        #expect(Set("ab") == ["a", "b"])
        #expect(Dictionary(grouping: [1], by: { $0 }).mapValues(Set.init) == [1: [1]])
    }
}
