import FoundationCompat
import Testing

@Suite("Objects of the program's own classes are read back as they were archived, or not archived")
struct OwnClassArchiveTests {
    private final class HolderTransformer: NSSecureUnarchiveFromDataTransformer {
        override class var allowedTopLevelClasses: [AnyClass] {
            [Holder.self, NSArray.self, NSOrderedSet.self, NSAttributedString.self, NSDateInterval.self]
        }
    }

    /// What a value reads as after it was archived, by both transformers that take the program's classes.
    private func copies(_ value: Holder.Value) throws -> [Holder] {
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        return try [HolderTransformer(), keyed].map { transformer in
            let data = try #require(transformer.reverseTransformedValue(Holder(value)), "\(value)")
            return try #require(transformer.transformedValue(data) as? Holder, "\(value)")
        }
    }

    @Test("Foundation's values come back, of the class that was asked for")
    func values() throws {
        let holder = Holder(.number)
        for copy in try copies(.mutableString) { #expect(copy.object as? NSMutableString == "abc") }
        for copy in try copies(.text) { #expect((copy.object as? NSAttributedString)?.string == "abc") }
        for copy in try copies(.dollarKey) { #expect(copy.object as? String == "abc") }
        for copy in try copies(.number) { #expect(copy.object as? Int == 5 && copy.last == holder.last) }
        for copy in try copies(.positional) { #expect(copy.object as? String == "abc" && copy.last == holder.last) }
        for copy in try copies(.orderedSet) {
            let members = (copy.object as? NSOrderedSet)?.array as? [Holder]
            #expect(members?.map(\.value) == [.number, .dollarKey] && members?.allSatisfy { $0.last == 7 } == true)
        }
    }

    @Test("Text without attributes is a value of its own, too")
    func plainText() throws {
        for text in [NSAttributedString(string: "abc"), NSMutableAttributedString(string: "d")] {
            let data = try #require(HolderTransformer().reverseTransformedValue(text))
            #expect((HolderTransformer().transformedValue(data) as? NSAttributedString)?.string == text.string)
        }
    }

    @Test("Text keeps its attributes, in one run or several, alone and in an object")
    func attributedText() throws {
        for (value, text) in [(Holder.Value.oneRun, Holder.oneRun), (.severalRuns, Holder.severalRuns)] {
            for text in [text, NSMutableAttributedString(attributedString: text)] {
                let data = try #require(HolderTransformer().reverseTransformedValue(text))
                #expect((HolderTransformer().transformedValue(data) as? NSAttributedString)?.isEqual(to: text) == true)
            }
            for copy in try copies(value) {
                #expect((copy.object as? NSAttributedString)?.isEqual(to: text) == true)
            }
        }
    }

    @Test("An interval of dates keeps its end, alone, in a list and in an object")
    func interval() throws {
        func isSame(_ value: Any?) -> Bool {
            let interval = value as? NSDateInterval
            return interval?.startDate == Holder.interval.startDate && interval?.endDate == Holder.interval.endDate
        }
        let transformer = HolderTransformer()
        let alone = try #require(transformer.reverseTransformedValue(Holder.interval))
        #expect(isSame(transformer.transformedValue(alone)))
        let list = try #require(transformer.reverseTransformedValue([Holder.interval, Holder.interval]))
        #expect((transformer.transformedValue(list) as? [Any])?.map(isSame) == [true, true])
        for copy in try copies(.interval) { #expect(isSame(copy.object)) }
    }

    @Test("What Foundation archives as something else is not archived")
    func countedSets() throws {
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        for transformer in [HolderTransformer(), keyed] {
            #expect(transformer.reverseTransformedValue(Holder(.countedSets)) == nil)
            #expect(transformer.reverseTransformedValue([NSCountedSet(array: ["a", "a"])]) == nil)
        }
    }

    @Test("What its class doesn't decode again is not archived")
    func refused() throws {
        let keyed = try #require(ValueTransformer(forName: .keyedUnarchiveFromDataTransformerName))
        for transformer in [HolderTransformer(), keyed] {
            #expect(transformer.reverseTransformedValue(Holder(.refused)) == nil)
            #expect(transformer.reverseTransformedValue(Holder(.listOfRefused)) == nil)
        }
    }

    @Test(
        "Archives whose Foundation objects lead back to themselves, or are of classes nobody decodes safely, are refused"
    )
    func hostile() throws {
        let transformer = HolderTransformer()
        let data = try #require(transformer.reverseTransformedValue(Holder(.measurement)) as? Data)
        #expect((transformer.transformedValue(data) as? Holder)?.object is NSMeasurement)
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        let archive = try #require(list as? [String: Any])
        let objects = try #require(archive["$objects"] as? [Any])
        let root = try #require((archive["$top"] as? [String: Any])?[NSKeyedArchiveRootObjectKey])
        var tried = 0
        for (index, object) in objects.enumerated() {
            guard let fields = object as? [String: Any], fields["$class"] != nil || fields["$classname"] != nil else {
                continue
            }
            for key in fields.keys where key != "$class" {
                var (damaged, changed, other) = (archive, objects, fields)
                other[key] = fields["$classname"] == nil ? root : "NSNotification"
                changed[index] = other
                damaged["$objects"] = changed
                let bytes = try PropertyListSerialization.data(fromPropertyList: damaged, format: .binary, options: 0)
                _ = transformer.transformedValue(bytes)
                tried += 1
            }
        }
        #expect(tried > 5)
    }
}

/// Encodes one value in one of the ways that classes do.
final class Holder: NSObject, NSSecureCoding {
    enum Value: String {
        case mutableString, text, dollarKey, number, positional, orderedSet, refused, listOfRefused, measurement
        case oneRun, severalRuns, interval, countedSets
    }

    private static let size = NSAttributedString.Key("size")

    static var oneRun: NSAttributedString {
        NSAttributedString(string: "abc", attributes: [.init("link"): "b", size: 3])
    }

    static var interval: NSDateInterval {
        NSDateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 7)
    }

    static var severalRuns: NSAttributedString {
        let text = NSMutableAttributedString(string: "abc def", attributes: [.init("link"): "x"])
        text.addAttribute(size, value: 7, range: NSRange(location: 2, length: 3))
        return text
    }

    static var supportsSecureCoding: Bool { true }
    let value: Value
    private(set) var object: Any?
    private(set) var last = 7

    init(_ value: Value) { self.value = value }

    func encode(with coder: NSCoder) {
        coder.encode(value.rawValue, forKey: "value")
        switch value {
        case .mutableString: coder.encode(NSMutableString(string: "abc"), forKey: "object")
        case .text: coder.encode(NSAttributedString(string: "abc"), forKey: "object")
        case .oneRun: coder.encode(Self.oneRun, forKey: "object")
        case .severalRuns: coder.encode(Self.severalRuns, forKey: "object")
        case .interval: coder.encode(Self.interval, forKey: "object")
        case .countedSets: coder.encode([NSCountedSet(array: ["a", "a"])], forKey: "object")
        case .dollarKey: coder.encode("abc", forKey: "$object")
        case .number: coder.encode(NSNumber(value: 5), forKey: "object")
        case .positional: coder.encode("abc" as NSString)
        case .orderedSet:
            coder.encode(NSOrderedSet(array: [Holder(.number), Holder(.dollarKey)]), forKey: "object")
        case .refused: break
        case .listOfRefused: coder.encode([Holder(.refused)] as NSArray, forKey: "object")
        case .measurement:
            coder.encode(NSMeasurement(doubleValue: 5, unit: UnitLength.meters), forKey: "object")
        }
        coder.encode(last, forKey: "last")
    }

    required init?(coder: NSCoder) {
        value = (coder.decodeObject(of: NSString.self, forKey: "value") as String?).flatMap(Value.init) ?? .refused
        switch value {
        case .mutableString: object = coder.decodeObject(of: NSMutableString.self, forKey: "object")
        case .text, .oneRun, .severalRuns: object = coder.decodeObject(of: NSAttributedString.self, forKey: "object")
        case .interval: object = coder.decodeObject(of: NSDateInterval.self, forKey: "object")
        case .countedSets: object = coder.decodeObject(of: [NSArray.self, NSSet.self], forKey: "object")
        case .dollarKey: object = coder.decodeObject(of: NSString.self, forKey: "$object") as String?
        case .number: object = coder.decodeInteger(forKey: "object")
        case .positional: object = coder.decodeObject() as? String
        case .orderedSet: object = coder.decodeObject(of: [NSOrderedSet.self, Holder.self], forKey: "object")
        case .refused: return nil
        case .listOfRefused: object = coder.decodeObject(of: [NSArray.self, Holder.self], forKey: "object")
        case .measurement: object = coder.decodeObject(of: [NSMeasurement.self, Unit.self], forKey: "object")
        }
        last = coder.containsValue(forKey: "missing") ? 0 : coder.decodeInteger(forKey: "last")
        if coder.decodeObject(of: NSString.self, forKey: "missing") != nil { return nil }
    }
}
