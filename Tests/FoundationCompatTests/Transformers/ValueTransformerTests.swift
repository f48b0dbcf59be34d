import FoundationCompat
import Testing

@Suite("Value transformers")
struct ValueTransformerTests {
    private final class Doubling: ValueTransformer {
        override class func transformedValueClass() -> AnyClass { NSNumber.self }

        override func transformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 * 2 } }

        override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Int).map { $0 / 2 } }
    }

    @Test("are found by the name that they were registered under, until it is taken back")
    func registry() throws {
        let name = NSValueTransformerName("ValueTransformerTests.Doubling.\(UUID())")
        #expect(ValueTransformer(forName: name) == nil)
        ValueTransformer.setValueTransformer(Doubling(), forName: name)
        let transformer = try #require(ValueTransformer(forName: name))
        #expect(transformer.transformedValue(4) as? Int == 8)
        #expect(transformer.reverseTransformedValue(8) as? Int == 4)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) == nil)
    }

    @Test("that Apple provides are there")
    func builtIn() throws {
        let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
        #expect(negate.transformedValue(true) as? Bool == false)
        #expect(negate.reverseTransformedValue(false) as? Bool == true)
        let isNil = try #require(ValueTransformer(forName: .isNilTransformerName))
        #expect(isNil.transformedValue(nil) as? Bool == true && isNil.transformedValue(1) as? Bool == false)
        #expect(!type(of: isNil).allowsReverseTransformation())
        let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
        #expect(isNotNil.transformedValue(nil) as? Bool == false)
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        let data = try #require(keyed.reverseTransformedValue(["a", "b"]))
        #expect(keyed.transformedValue(data) as? [String] == ["a", "b"])
    }

    @Test("keyed archives take objects of any class that can be archived, and nothing else")
    func keyed() throws {
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        let data = try #require(keyed.reverseTransformedValue(Coloured()))
        #expect(keyed.transformedValue(data) is Coloured)
        #expect(keyed.reverseTransformedValue(NSObject()) == nil)
        let number = try #require(keyed.reverseTransformedValue(NSDecimalNumber(string: "1.5")))
        #expect(keyed.transformedValue(number) as? NSDecimalNumber == NSDecimalNumber(string: "1.5"))
        #expect(keyed.reverseTransformedValue(NestedCoding()) == nil)
        #expect(keyed.transformedValue(Data("no archive".utf8)) == nil)
    }

    private final class NestedCoding: NSObject, NSCoding {
        override init() {}
        init?(coder: NSCoder) { nil }
        func encode(with coder: NSCoder) {}
    }

    @Test("archive values of allowed classes securely and read them back")
    func secure() throws {
        let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
        let values: [Any] = [
            ["a", "b"], ["k": 1], "text", 5, 2.5, Date(timeIntervalSinceReferenceDate: 1), Data([1]),
            URL(string: "https://example.org")!, UUID(), NSNull(),
        ]
        for value in values {
            let data = try #require(transformer.reverseTransformedValue(value) as? Data, "\(value)")
            let back = try #require(transformer.transformedValue(data), "\(value)")
            #expect((back as? NSObject)?.isEqual(value as? NSObject) == true, "\(value)")
        }
        #expect(transformer.transformedValue(nil) == nil && transformer.reverseTransformedValue(nil) == nil)
    }

    @Test(
        "refuse a dictionary of which an element can't be made, which would end the program in Foundation",
        arguments: ["", "a b", "%zz", "é", "http://[", "\\", "$null"])
    func undecodableElements(_ text: String) throws {
        let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
        let address = "https://example.org/place"
        let url = try #require(URL(string: address))
        let values: [[String: Any]] = [["a": url], ["a": ["b": url, "c": 1]], ["a": [["b": url]]]]
        for value in values {
            let data = try #require(transformer.reverseTransformedValue(value) as? Data)
            #expect((transformer.transformedValue(data) as? NSDictionary)?.isEqual(to: value) == true)
            let damaged = try replacing(address, by: text, in: data)
            #expect(transformer.transformedValue(damaged) == nil)
        }
        // The number's class without its value.
        let dates = ["a": Date(timeIntervalSinceReferenceDate: 1)]
        let data = try #require(transformer.reverseTransformedValue(dates) as? Data)
        var archive = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        archive["$objects"] = (archive["$objects"] as? [Any])?.map { object -> Any in
            guard var fields = object as? [String: Any] else { return object }
            if fields["$classname"] as? String == "NSDate" {
                return ["$classname": "NSNumber", "$classes": ["NSNumber", "NSValue", "NSObject"]]
            }
            fields["NS.time"] = nil
            return fields
        }
        let numbers = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
        #expect(transformer.transformedValue(numbers) == nil)
    }

    @Test("refuse sets whose members are sets that hold collections, which Foundation can't compare")
    func setsOfSets() throws {
        let transformer = try #require(ValueTransformer(forName: .secureUnarchiveFromDataTransformerName))
        let inner = [[1, 2], [3]].map { NSSet(array: [$0 as NSArray]) }
        for refused in [inner, inner.map { [$0] as NSArray }] as [NSArray] {
            #expect(transformer.reverseTransformedValue(refused) == nil)
        }
        for taken in [inner[0], NSSet(array: [NSSet(array: [1]), NSSet(array: [2, 3])])] {
            let data = try #require(transformer.reverseTransformedValue(taken) as? Data)
            #expect((transformer.transformedValue(data) as? NSSet)?.count == taken.count)
        }
        // An archive by others, of a set of sets that hold arrays of two: arrays of one or three elements become sets.
        let lists: [Any] = [[[1, 2]], [[3, 4]], NSSet(array: [9])]
        let data = try #require(transformer.reverseTransformedValue(lists) as? Data)
        var archive = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        let objects = try #require(archive["$objects"] as? [Any])
        let set = try #require(
            objects.lazy.compactMap { $0 as? [String: Any] }.last { $0["NS.objects"] != nil }?["$class"])
        archive["$objects"] = objects.map { object -> Any in
            guard var fields = object as? [String: Any], let elements = fields["NS.objects"] as? [Any],
                elements.count != 2
            else { return object }
            fields["$class"] = set
            return fields
        }
        let sets = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
        #expect(transformer.transformedValue(sets) == nil)
    }

    private func replacing(_ text: String, by other: String, in data: Data) throws -> Data {
        var archive = try #require(PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        archive["$objects"] = (archive["$objects"] as? [Any])?.map { $0 as? String == text ? other : $0 }
        return try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
    }

    private final class ColourTransformer: NSSecureUnarchiveFromDataTransformer {
        override class var allowedTopLevelClasses: [AnyClass] { [Coloured.self] }
    }

    @Test("never make an object of a class outside the list")
    func allowedClasses() throws {
        let data = try #require(ColourTransformer().reverseTransformedValue(Coloured()))
        #expect(ColourTransformer().transformedValue(data) is Coloured)
        let made = Coloured.decoded
        #expect(NSSecureUnarchiveFromDataTransformer().transformedValue(data) == nil)
        #expect(Coloured.decoded == made)
        #expect(NSSecureUnarchiveFromDataTransformer().reverseTransformedValue(Coloured()) == nil)
        #expect(ColourTransformer().reverseTransformedValue("text") == nil)
    }

    private final class PaletteTransformer: NSSecureUnarchiveFromDataTransformer {
        override class var allowedTopLevelClasses: [AnyClass] { [Palette.self, NSArray.self] }
    }

    private static func sample(_ isOwn: Bool) -> (NSSecureUnarchiveFromDataTransformer, Any) {
        if isOwn {
            let palette = Palette(colours: ["k": ["n": 5], "l": ["a", "b"]])
            palette.next = Palette(colours: ["u": 1.5])
            return (PaletteTransformer(), palette)
        }
        let value: [Any] = [
            "a", 5, ["k": Date(timeIntervalSinceReferenceDate: 1)], UUID(), Data([1, 2]), URL(string: "https://a.b/c")!,
        ]
        return (NSSecureUnarchiveFromDataTransformer(), value)
    }

    @Test(
        "answer nil or a value for damaged archives, and never end the program, whosever classes decode them",
        arguments: [true, false])
    func damage(isOwn: Bool) throws {
        let (transformer, value) = Self.sample(isOwn)
        let data = try #require(transformer.reverseTransformedValue(value) as? Data)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<3_000 {
            var damaged = data
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = transformer.transformedValue(damaged)
        }
        #expect(transformer.transformedValue(data) != nil)
    }

    @Test(
        "answer nil where a collection lacks elements that a class of the program's own decodes",
        arguments: ["NS.objects", "NS.keys"])
    func incompleteParts(key: String) throws {
        let data = try #require(
            PaletteTransformer().reverseTransformedValue(Palette(colours: ["k": ["n": 5], "l": ["a", "b"]])) as? Data)
        #expect(PaletteTransformer().transformedValue(data) is Palette)
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        var archive = try #require(list as? [String: Any])
        let objects = try #require(archive["$objects"] as? [Any])
        let again = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
        #expect(PaletteTransformer().transformedValue(again) is Palette)
        for index in objects.indices {
            guard var fields = objects[index] as? [String: Any], let elements = fields[key] as? [Any], fields.count == 3
            else { continue }
            fields[key] = Array(elements.dropLast())
            var damaged = objects
            damaged[index] = fields
            archive["$objects"] = damaged
            let changed = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
            #expect(PaletteTransformer().transformedValue(changed) == nil)
        }
    }

    @Test("read what a class of the program's own has left out as nil, and all the rest")
    func missingKeys() throws {
        let (first, second) = (Palette(colours: ["k": 1]), Palette(colours: ["l": 2]))
        first.leavesOutNext = true
        second.next = first
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        for transformer in [PaletteTransformer(), keyed] {
            let data = try #require(transformer.reverseTransformedValue(first))
            let read = try #require(transformer.transformedValue(data) as? Palette)
            #expect(read.colours == ["k": 1] && read.next == nil && read.last == 7)
        }
        for values in [[first, second] as NSArray, ["a": first, "b": [second, second]] as NSDictionary] {
            let data = try #require(keyed.reverseTransformedValue(values))
            let read = keyed.transformedValue(data)
            let palettes = (read as? [Palette]) ?? ((read as? [String: Any])?["b"] as? [Palette]) ?? []
            #expect(palettes.count == 2 && palettes.allSatisfy { $0.last == 7 })
            #expect(palettes.last?.next?.colours == ["k": 1])
            #expect((read as? NSDictionary).map { $0["a"] is Palette } != false)
        }
    }

    @Test("make nothing of another class than the one that a class of the program's own asks for")
    func otherClass() throws {
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        let intruders: [Any] = [Intruder(), [Intruder()], ["k": Intruder()]]
        for colour in intruders {
            let palette = Palette(colours: ["k": colour])
            for transformer in [PaletteTransformer(), keyed] {
                #expect(transformer.reverseTransformedValue(palette) == nil)
            }
            let data = try NSKeyedArchiver.archivedData(withRootObject: palette, requiringSecureCoding: false)
            for transformer in [PaletteTransformer(), keyed] { #expect(transformer.transformedValue(data) == nil) }
            #expect(Intruder.decoded == 0)
        }
    }

    @Test("read many objects with values of Foundation's in them, each with its own")
    func manyValues() throws {
        let palettes = (0..<2_000).map { Palette(colours: ["k": $0 % 7]) }
        for (number, palette) in palettes.enumerated() {
            palette.made = Date(timeIntervalSinceReferenceDate: Double(number))
        }
        let archive = PaletteTransformer().reverseTransformedValue(palettes as NSArray)
        let read = PaletteTransformer().transformedValue(archive) as? [Palette] ?? []
        let seconds = read.map { $0.made?.timeIntervalSinceReferenceDate }
        #expect(seconds == (0..<2_000).map(Double.init))
    }

    @Test("answer nil for a string that has no text, which Foundation would end the program at")
    func brokenString() throws {
        let transformer = NSSecureUnarchiveFromDataTransformer()
        let data = try #require(transformer.reverseTransformedValue([UUID()]) as? Data)
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        var archive = try #require(list as? [String: Any])
        let objects = try #require(archive["$objects"] as? [Any])
        archive["$objects"] = objects.map { object -> Any in
            guard var fields = object as? [String: Any], fields["$classname"] as? String == "NSUUID" else {
                return object
            }
            fields["$classname"] = "NSString"
            fields["$classes"] = ["NSString", "NSObject"]
            return fields
        }
        let changed = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
        #expect(transformer.transformedValue(changed) == nil)
    }

    @Test("don't archive what leads to itself by way of the program's own classes, which Foundation couldn't read back")
    func knot() throws {
        let palette = Palette(colours: [:])
        let other = Palette(colours: ["k": 1])
        palette.next = other
        let data = try #require(PaletteTransformer().reverseTransformedValue(palette))
        #expect((PaletteTransformer().transformedValue(data) as? Palette)?.next?.colours == ["k": 1])
        other.next = palette
        #expect(PaletteTransformer().reverseTransformedValue(palette) == nil)
    }

    @Test("don't archive dictionaries with collections as keys, not even within the program's own classes")
    func collectionsAsKeys() {
        #expect(
            PaletteTransformer().reverseTransformedValue(Palette(colours: [["a"] as NSArray: 1, ["b"] as NSArray: 2]))
                == nil)
    }

    @Test("answer nil for data that is no archive")
    func garbage() {
        let transformer = NSSecureUnarchiveFromDataTransformer()
        #expect(transformer.transformedValue(Data()) == nil)
        #expect(transformer.transformedValue(Data([1, 2, 3])) == nil)
        #expect(transformer.transformedValue("no data") == nil)
    }
}

/// Decodes Foundation's collections by itself.
final class Palette: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let colours: NSDictionary
    var next: Palette?
    var leavesOutNext = false
    var made: Date?
    private(set) var last = 0

    init(colours: NSDictionary) { self.colours = colours }

    required init?(coder: NSCoder) {
        let classes: [AnyClass] = [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self]
        guard let colours = coder.decodeObject(of: classes, forKey: "colours") as? NSDictionary else { return nil }
        self.colours = colours
        next = coder.decodeObject(of: Palette.self, forKey: "next")
        made = coder.decodeObject(of: NSDate.self, forKey: "made") as Date?
        last = coder.decodeInteger(forKey: "last")
    }

    func encode(with coder: NSCoder) {
        coder.encode(colours, forKey: "colours")
        if !leavesOutNext { coder.encode(next, forKey: "next") }
        coder.encode(made, forKey: "made")
        coder.encode(7, forKey: "last")
    }
}

/// Top-level, because Foundation on Linux archives no others.
final class Coloured: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    nonisolated(unsafe) static var decoded = 0

    override init() {}

    required init?(coder: NSCoder) { Self.decoded += 1 }

    func encode(with coder: NSCoder) { coder.encode(1, forKey: "x") }
}

/// Is asked for by nobody.
final class Intruder: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    nonisolated(unsafe) static var decoded = 0

    override init() {}

    required init?(coder: NSCoder) { Self.decoded += 1 }

    func encode(with coder: NSCoder) { coder.encode(1, forKey: "x") }
}
