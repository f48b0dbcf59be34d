import Foundation
import FoundationCompat
import Testing

@Suite("predicateFormat prints constants without a literal by their descriptions, as Apple's does")
struct PredicateFormatTextTests {
    @Test(
        "UUIDs and URLs bare, sets in braces, data as NSData describes itself, decimals as numbers",
        arguments: [
            (
                UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")! as any Sendable,
                "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
            ),
            (URL(string: "https://example.org/a?b=c")!, "https://example.org/a?b=c"),
            (Set(["ed", "bob"]), #"{"bob", "ed"}"#),
            (Data([1, 2, 0xff]), "{length = 3, bytes = 0x0102ff}"),
            (Data(repeating: 7, count: 32), "{length = 32, bytes = 0x07070707 07070707 ... 07070707 07070707 }"),
            (Decimal(string: "1234567890.123456789012")!, "1234567890.123456789012"),
            (Date(timeIntervalSinceReferenceDate: 5), #"CAST(5.000000, "NSDate")"#),
        ])
    func constants(_ value: any Sendable, _ text: String) {
        let predicate = NSPredicate(format: "a == %@ OR NOT b IN %@", argumentArray: [value, [value]])
        #expect(predicate.predicateFormat == "a == \(text) OR (NOT b IN {\(text)})")
        #expect(predicate.description == predicate.predicateFormat)
    }

    @Test("and there is a form for model files that parses to an equal predicate")
    func parsable() throws {
        let values: [Any] = [
            UUID(), URL(string: "https://example.org")!, Set(["a"]), Data([1]), Decimal(string: "1e-30")!,
        ]
        for value in values {
            let predicate = NSPredicate(
                format: "a == %@ AND SUBQUERY(b, $x, $x.c == %@).@count > 0", argumentArray: [value, value])
            #expect(try NSPredicate.parse(predicate.parsableFormat) == predicate, "\(predicate)")
        }
    }
}
