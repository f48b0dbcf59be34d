import FoundationCompat
import Testing

@Suite("In an AnyHashable, what key-value coding gives is the Swift value that it stands for")
struct AnyHashableTests {
    @Test("Numbers find what is kept by Swift's numbers, of any of their types")
    func numbers() throws {
        let prices: [AnyHashable: String] = [1: "a", 2.5: "b", true: "c", UInt64.max: "d", Decimal(7): "e"]
        let keys: [NSNumber] = [
            NSNumber(value: 1), NSNumber(value: Int16(1)), NSNumber(value: 2.5), NSNumber(value: true),
            NSNumber(value: UInt64.max), NSDecimalNumber(value: 7),
        ]
        #expect(keys.map { prices[$0 as Any as! AnyHashable] } == ["a", "a", "b", "c", "d", "e"])
        let object: NSDictionary = ["n": NSNumber(value: 5)]
        let number = try #require(object.value(forKey: "n") as? AnyHashable)
        #expect([5: "x"][number] == "x" && number == AnyHashable(Int64(5)) && number as? Int == 5)
        #expect(Dictionary(grouping: keys as [Any]) { $0 as! AnyHashable }.count == 5)
    }

    @Test("Strings are found by their text")
    func strings() {
        let text: Any = NSString(string: "a")
        #expect(["a": 1][text as! AnyHashable] == 1)
        #expect(NSSet(array: [NSNumber(value: 5), "a"]).contains(text))
    }
}
