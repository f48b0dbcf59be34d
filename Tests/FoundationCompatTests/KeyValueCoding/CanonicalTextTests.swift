import Foundation
import FoundationCompat
import Testing

import class FoundationCompat.NSExpression

@Suite("Texts that differ in composition only")
struct CanonicalTextTests {
    private static func elements(_ names: [String]) -> NSSet {
        NSSet(array: names.enumerated().map { NSDictionary(dictionary: ["place": $0, "name": $1]) })
    }

    @Test("are two members of what a key path over a set gives, as they are two texts to SQL")
    func members() throws {
        let names = ["\u{E4}", "a\u{308}", "a", "\u{E4}"]
        let values = try #require(NSExpression.parse("name").expressionValue(with: Self.elements(names), context: nil))
        #expect(Elements(values)?.values.count == 3)
        let count = try NSExpression.parse("count(SELF.name)").expressionValue(with: Self.elements(names), context: nil)
        #expect((count as? NSNumber)?.intValue == 3)
    }

    @Test("of which there are none stay a set")
    func set() throws {
        let values = try NSExpression.parse("name").expressionValue(with: Self.elements(["a", "\u{E4}"]), context: nil)
        #expect(values as? Set<String> == ["a", "\u{E4}"])
    }
}
