import CoreData
import Foundation
import Testing

/// An object of the program's own that can't be archived.
private final class Handle: NSObject {}

/// A class that `NSCoding` can archive, with something inside that it can't.
final class Wrapping: NSObject, NSCoding {
    override init() {}
    required init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) { coder.encode(UnarchivableValueTests.Nested(), forKey: "inside") }
}

/// Makes data of texts, and nil of everything else.
final class TextsOnly: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("A value that can't be archived")
struct UnarchivableValueTests {
    final class Nested: NSObject, NSCoding {
        override init() {}
        required init?(coder: NSCoder) {}
        func encode(with coder: NSCoder) {}
    }

    enum Case: String, CaseIterable {
        case transformerMakesNil, classNotAllowed, nested, notCoding, wrapped, notRegistered
    }

    private let folder: TemporaryFolder
    private let url: URL
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
        ValueTransformer.setValueTransformer(TextsOnly(), forName: NSValueTransformerName("TextsOnly"))
    }

    private func model(_ transformer: String?) -> NSManagedObjectModel {
        let tags = NSAttributeDescription()
        tags.name = "tags"
        tags.attributeType = .transformableAttributeType
        tags.isOptional = true
        tags.valueTransformerName = transformer
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        let shop = NSEntityDescription()
        shop.name = "Shop"
        shop.properties = [name, tags]
        let model = NSManagedObjectModel()
        model.entities = [shop]
        return model
    }

    private func transformer(of which: Case) -> String? {
        switch which {
        case .transformerMakesNil: "TextsOnly"
        case .classNotAllowed: NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        case .notRegistered: "Nobody registers this one"
        default: nil
        }
    }

    private func value(of which: Case) -> Any {
        switch which {
        case .transformerMakesNil: 7 as NSNumber
        case .classNotAllowed: Wrapping()
        case .nested: Nested()
        case .notCoding: Handle()
        case .wrapped: Wrapping()
        case .notRegistered: Handle()
        }
    }

    @Test("is an error that names object, property and class, and nothing is written", arguments: types, Case.allCases)
    func saving(type: String, which: Case) throws {
        let stack = try AtomicStack(url, type: type, model: model(transformer(of: which)))
        let shop = stack.context.make("Shop", ["name": "A"])
        if which == .transformerMakesNil { shop.setValue("old", forKey: "tags") }
        try stack.context.save()
        let before = type == NSInMemoryStoreType ? Data() : try Data(contentsOf: url)

        // Over an older value, and in a new object.
        for object in [shop, stack.context.make("Shop", ["name": "B"])] {
            object.setValue(value(of: which), forKey: "tags")
            let error = try #require(throws: NSError.self) { try stack.context.save() }
            #expect(error.code == NSPersistentStoreSaveError)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "tags")
            #expect(error.userInfo[NSValidationObjectErrorKey] is NSManagedObject)
            #expect((error.userInfo["class"] as? String)?.isEmpty == false)
            #expect(error.localizedDescription.contains("Shop.tags"))
            // The context is as it was.
            #expect(object.hasChanges && stack.context.hasChanges)
            #expect(object.objectID.isTemporaryID == (object !== shop))
            if object === shop { stack.context.refresh(shop, mergeChanges: false) }
        }
        if type != NSInMemoryStoreType { #expect(try Data(contentsOf: url) == before) }
        stack.context.rollback()
        if which == .transformerMakesNil { #expect(shop.value(forKey: "tags") as? String == "old") }
        try stack.context.save()
        #expect(try stack.context.all("Shop").count == 1)
    }

    @Test("may be one whose transformer nobody has registered: it is archived, and read later too", arguments: types)
    func unregistered(type: String) throws {
        let name = "Registered later, in \(type)"
        func tags(_ stack: AtomicStack) throws -> [[String]?] {
            try stack.context.all("Shop").map { $0.value(forKey: "tags") as? [String] }
        }
        var stack = try AtomicStack(url, type: type, model: model(name))
        stack.context.make("Shop", ["name": "A", "tags": ["red", "blue"]])
        try stack.context.save()
        stack.context.reset()
        #expect(try tags(stack) == [["red", "blue"]])
        guard type != NSInMemoryStoreType else { return }
        try stack.close()
        stack = try AtomicStack(url, type: type, model: model(name))
        #expect(try tags(stack) == [["red", "blue"]])
        try stack.close()
        // It makes nil of whatever it hasn't made itself.
        final class Lists: ValueTransformer {
            override func transformedValue(_ value: Any?) -> Any? {
                (value as? [String]).map { Data($0.joined(separator: ",").utf8) }
            }
            override func reverseTransformedValue(_ value: Any?) -> Any? {
                (value as? Data).flatMap { String(data: $0, encoding: .utf8) }.map { $0.components(separatedBy: ",") }
            }
        }
        ValueTransformer.setValueTransformer(Lists(), forName: NSValueTransformerName(name))
        stack = try AtomicStack(url, type: type, model: model(name))
        #expect(try tags(stack) == [["red", "blue"]])
    }

    @Test("is an error in batches", arguments: Case.allCases)
    func batches(which: Case) throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType, model: model(transformer(of: which)))
        stack.context.make("Shop", ["name": "A"])
        try stack.context.save()
        let insert = NSBatchInsertRequest(
            entityName: "Shop", objects: [["name": "B"], ["name": "C", "tags": value(of: which)]])
        let update = NSBatchUpdateRequest(entityName: "Shop")
        update.propertiesToUpdate = ["tags": value(of: which)]
        for request in [insert, update] {
            let error = try #require(throws: NSError.self) { try stack.context.execute(request) }
            #expect(error.localizedDescription.contains("Shop.tags"))
        }
        var isDone = false
        let byHandler = NSBatchInsertRequest(entityName: "Shop") { (object: NSManagedObject) in
            defer { isDone = true }
            object.setValue(value(of: which), forKey: "tags")
            return isDone
        }
        #expect(throws: NSError.self) { try stack.context.execute(byHandler) }
        #expect(
            try PlainSQLite.rows("SELECT ZNAME, ZTAGS FROM ZSHOP", in: url).map(\.first) == [Optional("A")])
    }

    @Test("Decimal numbers in values are kept", arguments: types, [true, false])
    func decimals(type: String, isSecure: Bool) throws {
        let transformer = isSecure ? NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue : nil
        let stack = try AtomicStack(url, type: type, model: model(transformer))
        let price = NSDecimalNumber(string: "-12345678901234567890.0125")
        let shop = stack.context.make(
            "Shop", ["tags": ["prices": [price, 2], "at": Date(timeIntervalSince1970: 3)] as NSDictionary])
        let other = stack.context.make("Shop", ["name": "single", "tags": price])
        try stack.context.save()
        stack.context.refreshAllObjects()
        for object in [shop, other] { stack.context.refresh(object, mergeChanges: false) }
        let tags = try #require(shop.value(forKey: "tags") as? [String: Any])
        #expect((tags["prices"] as? [NSNumber])?.first as? NSDecimalNumber == price)
        #expect((tags["prices"] as? [NSNumber])?.last == 2)
        #expect(tags["at"] as? Date == Date(timeIntervalSince1970: 3))
        #expect(other.value(forKey: "tags") as? NSDecimalNumber == price)
    }

    @Test("Data that can't be read is nil, and stays when something else is saved")
    func unreadable() throws {
        var stack = try AtomicStack(url, type: NSSQLiteStoreType, model: model(nil))
        stack.context.make("Shop", ["name": "A", "tags": ["x"] as NSArray])
        try stack.context.save()
        try stack.close()
        _ = try PlainSQLite.rows("UPDATE ZSHOP SET ZTAGS = x'0102'", in: url)
        stack = try AtomicStack(url, type: NSSQLiteStoreType, model: model(nil))
        let shop = try #require(stack.context.all("Shop").first)
        #expect(shop.value(forKey: "tags") == nil)
        shop.setValue("Changed", forKey: "name")
        try stack.context.save()
        #expect(try PlainSQLite.rows("SELECT ZNAME, ZTAGS FROM ZSHOP", in: url) == [["Changed", "0102"]])
    }
}
