import Foundation

/// Makes up modules full of `@NSManaged` declarations, with code that uses each of them.
struct DeclarationGenerator {
    private static let attributeTypes = [
        "String", "Int", "Int16", "Int32", "Int64", "UInt8", "Bool", "Double", "Float", "Date", "Data", "UUID", "URL",
        "Decimal", "NSDecimalNumber", "NSNumber", "NSString", "NSDate", "NSObject", "Any", "AnyObject", "NSSet",
        "NSOrderedSet", "[String]", "[String: Int]", "Set<String>", "[Date]", "[[String: [Data]]]", "CGFloat",
        "NSCoding", "any NSCoding & NSObjectProtocol", "IndexPath", "IndexSet", "Foundation.Date", "Swift.String",
        "Array<Int>", "Optional<Date>", "(String)", "TimeInterval", "Labels", "Priority", "Box<Date>",
        "Space.Priority", "Space.Item", "[Space.Item]", "Set<Space.Inner.Item>", "Space.Inner.Item",
        "NSRange", "Measurement<UnitLength>", "ClosedRange<Int>", "Codable", "UnitPriceList", "PriceList",
        "Int8", "UInt32", "UInt64", "NSData", "NSUUID", "NSURL", "NSArray", "NSDictionary", "NSMutableSet",
        "NSMutableOrderedSet", "AnyHashable", "[String: Any]", "[AnyHashable: Any]", "[Any]", "DateComponents",
        "Locale", "TimeZone", "CharacterSet", "NSAttributedString", "Error", "any Error", "Range<Date>", "Set<UUID>",
        "[UUID: Decimal]", "(Int, String)", "Dictionary<String, [Int]>", "Character",
    ]
    private static let words = [
        "name", "unit", "price", "Unit", "Price", "list", "URL", "x", "a1", "value2", "note_text", "naïve", "größe",
        "über", "日付", "of", "List", "PriceList", "isDone", "default", "NSDate", "_hidden", "lastUnit_price",
    ]

    private var random: SeededGenerator
    private var used: Set<String> = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The text of a module's file: types of every nesting, `count` properties and some methods.
    ///
    /// - Parameter importsCoreData: whether the base class is that of the package, or one that the text declares, so
    ///   that nothing has to be imported.
    mutating func source(count: Int, importsCoreData: Bool) -> String {
        var text = importsCoreData ? "import CoreData\n" : "import Foundation\nclass NSManagedObject: NSObject {}\n"
        text += Self.prelude
        let classes = [
            "UnitPriceList", "PriceList", "Space.Item", "Space.Inner.Item", "Hidden", "Space.Secret", "Box<T>",
        ]
        for _ in 0..<count / 10 {
            let name = classes.randomElement(using: &random) ?? classes[0]
            // Extensions of private classes say no access.
            let plain = name.replacingOccurrences(of: "<T>", with: "")
            let access = ["", "", "private "].randomElement(using: &random) ?? ""
            text += "\(access)extension \(plain) {\n"
            var uses = ""
            for _ in 0..<10 { uses += member(ofGeneric: name != plain, to: &text) }
            text += "    func use\(random.next())() {\n\(uses)    }\n}\n"
        }
        return text
    }

    private mutating func member(ofGeneric isGeneric: Bool, to text: inout String) -> String {
        var name = ""
        repeat {
            name = (0...Int.random(in: 0...2, using: &random)).map { _ in Self.words.randomElement(using: &random) ?? ""
            }
            .joined()
        } while !used.insert(name).inserted
        let access =
            ["", "", "public ", "private ", "fileprivate ", "internal ", "private(set) "]
            .randomElement(using: &random) ?? ""
        if Int.random(in: 0..<8, using: &random) == 0 { return method(name, access, to: &text) }
        var type = Self.attributeTypes.randomElement(using: &random) ?? "String"
        if isGeneric, Bool.random(using: &random) {
            type = ["T", "[T]", "Box<T>", "Box", "[T: Box<T>]"].randomElement(using: &random) ?? "T"
        }
        if Bool.random(using: &random) { type = "(\(type))" + (["?", "!"].randomElement(using: &random) ?? "?") }
        let quoted = name == "default" ? "`default`" : name
        text += "    @NSManaged \(visible(access)) var \(quoted): \(type)\n"
        return "        self.\(quoted) = self.\(quoted)\n"
    }

    private mutating func method(_ name: String, _ access: String, to text: inout String) -> String {
        let access = access == "private(set) " ? "" : access
        let key = "K" + name
        let forms: [(declaration: String, call: String)] = [
            ("addTo\(key)(_ value: PriceList)", "addTo\(key)(some())"),
            ("addTo\(key)(_ values: NSSet)", "addTo\(key)(some())"),
            ("removeFrom\(key)(_ values: Set<Space.Item>)", "removeFrom\(key)(some())"),
            ("removeFrom\(key)(at idx: Int)", "removeFrom\(key)(at: some())"),
            ("removeFrom\(key)(at indexes: NSIndexSet)", "removeFrom\(key)(at: some())"),
            ("insertInto\(key)(_ value: Space.Inner.Item, at idx: Int)", "insertInto\(key)(some(), at: some())"),
            ("insertInto\(key)(_ values: [PriceList], at indexes: NSIndexSet)", "insertInto\(key)(some(), at: some())"),
            ("replace\(key)(at idx: Int, with value: PriceList)", "replace\(key)(at: some(), with: some())"),
            (
                "replace\(key)(at indexes: NSIndexSet, with values: [PriceList])",
                "replace\(key)(at: some(), with: some())"
            ),
            ("add\(key)Object(_ value: PriceList?)", "add\(key)Object(some())"),
        ]
        let form = forms.randomElement(using: &random) ?? forms[0]
        text += "    @NSManaged \(visible(access)) func \(form.declaration)\n"
        return "        self.\(form.call)\n"
    }

    /// Types of the prelude are internal, so public members of theirs aren't possible; the symbol is the same.
    private func visible(_ access: String) -> String { access == "public " ? "internal" : access }

    private static let prelude = """
        func some<T>() -> T { fatalError() }
        typealias Labels = Set<String>
        enum Priority: Int16 { case low, high }
        class UnitPriceList: NSManagedObject {}
        class PriceList: NSManagedObject {}
        class Box<T: Hashable>: NSManagedObject {}
        private class Hidden: NSManagedObject {}
        enum Space {
            enum Priority: String { case low, high }
            class Item: PriceList {}
            fileprivate class Secret: NSManagedObject {}
        }
        extension Space {
            struct Inner { class Item: NSManagedObject {} }
        }

        """
}
