import Foundation

/// The texts within values that Swift calls equal: it ignores how a character is composed, and NSString doesn't.
package enum ComposedTexts {
    /// Whether equal values have the same texts, scalar by scalar.
    package static func areSame(_ left: Any, _ right: Any) -> Bool {
        let texts = (all(in: left), all(in: right))
        return texts.0.elementsEqual(texts.1) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// In an order that depends on the texts alone. Only what is beyond ASCII can be composed in two ways.
    private static func all(in value: Any) -> [String] {
        switch value {
        case let text as String: text.utf8.allSatisfy { $0 < 0x80 } ? [] : [text]
        case let list as NSArray: list.flatMap(all)
        case let list as NSOrderedSet: list.array.flatMap(all)
        case let set as NSSet: set.allObjects.flatMap(all).sorted(by: precedes)
        case let dictionary as NSDictionary:
            dictionary.map { (name: "\($0.key)", texts: all(in: $0.key) + all(in: $0.value)) }
                .sorted { precedes($0.name, $1.name) }.flatMap(\.texts)
        default: []
        }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
