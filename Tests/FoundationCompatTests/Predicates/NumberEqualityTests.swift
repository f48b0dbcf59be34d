import Foundation
import FoundationCompat
import Testing

@Suite("Numbers of all types at the ends of the integers")
struct NumberEqualityTests {
    private static let texts = [
        "0", "-1", "0.1", "9007199254740992", "9007199254740993", "1e18", "-9223372036854775808", "9223372036854775807",
        "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e23", "0.5", "-0.5",
    ]

    /// A number as every type that can have it.
    private static func forms(of text: String) -> [NSNumber] {
        let decimal = NSDecimalNumber(string: text)
        let numbers: [NSNumber?] = [
            decimal, Double(text).map { NSNumber(value: $0) }, Int64(text).map { NSNumber(value: $0) },
            UInt64(text).map { NSNumber(value: $0) },
        ]
        return numbers.compactMap(\.self)
    }

    private func matches(_ format: String, _ arguments: [Any]) -> Bool {
        NSPredicate(format: format, argumentArray: arguments).evaluate(with: nil)
    }

    @Test("are in a collection where they equal one of its elements, whatever the types")
    func membership() {
        let numbers = Self.texts.flatMap(Self.forms)
        for left in numbers {
            for right in numbers {
                let equal = matches("%@ == %@", [left, right])
                #expect(matches("%@ IN %@", [left, [right]]) == equal, "\(left) \(right)")
                #expect(matches("%@ == %@", [right, left]) == equal, "\(left) \(right)")
                #expect(matches("%@ != %@", [left, right]) == !equal, "\(left) \(right)")
            }
        }
    }

    @Test("are ordered by their exact values")
    func order() {
        let (double, decimal) = (NSNumber(value: 9223372036854775808.0), NSDecimalNumber(string: "9223372036854775808"))
        #expect(matches("%@ == %@", [double, decimal]))
        #expect(matches("%@ > %@", [double, NSDecimalNumber(string: "9223372036854775807")]))
        #expect(
            matches(
                "%@ == %@", [NSNumber(value: -9223372036854775808.0), NSDecimalNumber(string: "-9223372036854775808")]))
    }
}
