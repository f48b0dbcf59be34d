import CoreData
import Foundation
import Testing

/// Takes lists, and names nothing that may be in them.
private final class ListsOnly: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self] }
}

@Suite("A collection in a transformable attribute")
struct ArchivedCollectionTests {
    struct Plain {}

    private let folder: TemporaryFolder
    private let url: URL
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
        ValueTransformer.setValueTransformer(ListsOnly(), forName: NSValueTransformerName("ListsOnly"))
    }

    private static func nested(_ depth: Int) -> NSArray { (0..<depth).reduce(["x"] as NSArray) { list, _ in [list] } }

    /// What Foundation on Linux ends the program at, never ends with, or reads as nil.
    private static var impossible: [Any] {
        [
            [Plain()], ["a": [Plain()]], [NSError(domain: "a", code: 1)], ["$null", "a"], "$null", ["a": "$null"],
            ["a": NSAttributedString(string: "a")] as NSDictionary, [NSIndexSet(index: 2)], [IndexSet([1])],
            NSCountedSet(array: [1, 1]), [NSOrderedSet(array: [1])], [Locale(identifier: "de")],
            [TimeZone(identifier: "UTC") as Any], [DateComponents(year: 1)],
            [NSValue(range: NSRange(location: 1, length: 2))],
            [Measurement(value: 1, unit: UnitLength.meters)], NSDictionary(object: 1, forKey: ["a"] as NSArray),
            nested(70), NSAttributedString(string: "a"),
        ]
    }

    private func model(_ transformer: String?) -> NSManagedObjectModel {
        let tags = NSAttributeDescription()
        tags.name = "tags"
        tags.attributeType = .transformableAttributeType
        tags.isOptional = true
        tags.valueTransformerName = transformer
        let shop = NSEntityDescription()
        shop.name = "Shop"
        shop.properties = [tags]
        let model = NSManagedObjectModel()
        model.entities = [shop]
        return model
    }

    @Test("that couldn't be read back isn't saved", arguments: types)
    func impossibleValues(type: String) throws {
        for transformer in [nil, NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue] {
            try? FileManager.default.removeItem(at: url)
            let stack = try AtomicStack(url, type: type, model: model(transformer))
            for value in Self.impossible {
                stack.context.make("Shop", ["tags": value])
                let error = try #require(throws: NSError.self) { try stack.context.save() }
                #expect(error.code == NSPersistentStoreSaveError)
                #expect(error.localizedDescription.contains("Shop.tags"))
                stack.context.rollback()
            }
        }
    }

    @Test("comes back as it was, whatever the class of the transformer names", arguments: types)
    func possibleValues(type: String) throws {
        let values: [NSArray] = [
            [], ["a", 1, 2.5], [["a": [Date(timeIntervalSince1970: 0), Data([1])]], []], Self.nested(8),
            [NSDecimalNumber.notANumber, NSDecimalNumber(string: "-0.5"), NSDecimalNumber.zero],
        ]
        for transformer in [
            nil, "ListsOnly", NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue,
        ] {
            try? FileManager.default.removeItem(at: url)
            let stack = try AtomicStack(url, type: type, model: model(transformer))
            let shops = values.map { stack.context.make("Shop", ["tags": $0]) }
            try stack.context.save()
            for (shop, value) in zip(shops, values) {
                stack.context.refresh(shop, mergeChanges: false)
                let read = try #require(shop.value(forKey: "tags") as? NSArray)
                // What is no number isn't equal to itself, and Foundation's comparison never ends.
                if value.firstObject is NSDecimalNumber {
                    #expect(read.map { "\($0)" } == ["NaN", "-0.5", "0"])
                } else {
                    #expect(read == value)
                }
            }
        }
    }

    @Test("Numbers that are equal keep their types, and large ones their last digits", arguments: types, [true, false])
    func equalNumbers(type: String, isSecure: Bool) throws {
        let large = 9_007_199_254_740_993 as Int64
        let values: [NSArray] = [
            [1, true, 1.0], [["n": 1, "b": true, "d": 1.0]], [false, 0, -0.0], [0.0, -0.0],
            [9_007_199_254_740_992.0, NSNumber(value: large)],
            [NSNumber(value: Int64.max), 9_223_372_036_854_775_808.0], [NSNumber(value: Int8(1)), true, NSNull(), "1"],
        ]
        let transformer = isSecure ? NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue : nil
        let stack = try AtomicStack(url, type: type, model: model(transformer))
        let shops = values.map { stack.context.make("Shop", ["tags": $0]) }
        try stack.context.save()
        func text(_ value: Any) -> String {
            switch value {
            case let array as [Any]: "\(array.map(text))"
            case let dictionary as [String: Any]:
                "\(dictionary.sorted { $0.key < $1.key }.map { $0.key + text($0.value) })"
            case let number as NSNumber:
                "\(String(cString: number.objCType) == "i" ? "q" : String(cString: number.objCType))\(number)"
            default: "\(value)"
            }
        }
        for (shop, value) in zip(shops, values) {
            stack.context.refresh(shop, mergeChanges: false)
            #expect(text(try #require(shop.value(forKey: "tags"))) == text(value))
        }
    }

    @Test("A whole number beyond 64 bits with a sign is kept, or refused", arguments: types)
    func unsignedNumbers(type: String) throws {
        let stack = try AtomicStack(url, type: type, model: model(nil))
        let shop = stack.context.make("Shop", ["tags": [NSNumber(value: UInt64.max), 1] as NSArray])
        try stack.context.save()
        stack.context.refresh(shop, mergeChanges: false)
        #expect((shop.value(forKey: "tags") as? [NSNumber])?.first == NSNumber(value: UInt64.max))
        shop.setValue([NSNumber(value: UInt64.max), 1, true] as NSArray, forKey: "tags")
        do {
            try stack.context.save()
            stack.context.refresh(shop, mergeChanges: false)
            #expect((shop.value(forKey: "tags") as? [NSNumber])?.first == NSNumber(value: UInt64.max))
        } catch {
            #expect((error as NSError).domain == NSCocoaErrorDomain)
        }
    }
}
