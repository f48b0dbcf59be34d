import Foundation
import FoundationCompat
import Testing

@Suite("Sets of Foundation's are made of literals")
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
}
