import CoreData
import Foundation
import Testing

@Suite("A value comes back exactly as it was set, or as near as the kind of store can hold it")
struct ExactValueTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType]
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    private static func stack(_ storeType: String) throws -> TemporaryStack {
        let model = CodedModel.model(
            CodedModel.entity(
                "Item",
                [
                    ("key", .integer32AttributeType), ("text", .stringAttributeType), ("amount", .decimalAttributeType),
                    ("box", .transformableAttributeType),
                ]))
        for attribute in model.entities[0].properties { attribute.isOptional = true }
        return try TemporaryStack(model: model, storeType: storeType)
    }

    private static func scalars(_ value: Any?) -> [UInt32]? { (value as? String)?.unicodeScalars.map(\.value) }

    @Test("A text that differs only in how a character is composed is another text", arguments: types)
    func composedTexts(storeType: String) throws {
        let stack = try Self.stack(storeType)
        let context = stack.context()
        let items = [Self.decomposed, Self.composed].enumerated().map { key, text in
            context.make("Item", ["key": key, "text": text, "box": ["a": Self.composed, "b": Self.decomposed]])
        }
        try context.save()
        items[0].setValue(Self.composed, forKey: "text")
        #expect(items[0].hasPersistentChangedValues)
        items[1].setValue(["a": Self.decomposed, "b": Self.composed], forKey: "box")
        try context.save()
        let saved = try stack.reopened().all("Item", sort: "key")
        #expect(saved.map { Self.scalars($0.value(forKey: "text")) } == [[0xE9], [0xE9]])
        let boxes = saved.map { $0.value(forKey: "box") as? NSDictionary }
        #expect(boxes.map { Self.scalars($0?["a"]) } == [[0xE9], [0x65, 0x301]])
        #expect(boxes.map { Self.scalars($0?["b"]) } == [[0x65, 0x301], [0xE9]])
    }

    @Test("An integer that a decimal attribute is given keeps all of its digits", arguments: types)
    func integersAsDecimals(storeType: String) throws {
        // The largest that a column of SQLite keeps as an integer, and one that a double can't hold.
        for number in [9_007_199_254_740_993, -1_152_921_504_606_846_975, Int64.max, Int64.min] {
            let stack = try Self.stack(storeType)
            let context = stack.context()
            let item = context.make("Item", ["key": 1, "amount": number])
            #expect(item.value(forKey: "amount") as? NSDecimalNumber == NSDecimalNumber(decimal: Decimal(number)))
            try context.save()
            let saved = try stack.reopened().all("Item", sort: "key")
            #expect((saved.first?.value(forKey: "amount") as? NSDecimalNumber)?.decimalValue == Decimal(number))
        }
    }

    @Test("A child's change of how a character is composed reaches its parent")
    func composedTextOfChild() throws {
        let stack = try Self.stack(NSSQLiteStoreType)
        let parent = NSManagedObjectContext(.privateQueue)
        parent.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        try parent.performAndWait {
            let item = parent.make("Item", ["text": Self.decomposed])
            try parent.save()
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = parent
            try child.performAndWait {
                child.object(with: item.objectID).setValue(Self.composed, forKey: "text")
                try child.save()
            }
            #expect(Self.scalars(item.value(forKey: "text")) == [0xE9])
        }
    }

    @Test("A decimal of any size can be read again, and so can every other object", arguments: types)
    func largeDecimals(storeType: String) throws {
        let stack = try Self.stack(storeType)
        let context = stack.context()
        let greatest = Decimal.greatestFiniteMagnitude
        let amounts = [
            greatest, -greatest, try #require(Decimal(string: "15e127")), Decimal.leastNonzeroMagnitude, .nan, 1,
        ]
        for (key, amount) in amounts.enumerated() {
            context.make("Item", ["key": key, "amount": NSDecimalNumber(decimal: amount)])
        }
        try context.save()
        for (item, amount) in zip(try stack.reopened().all("Item", sort: "key"), amounts) {
            let read = try #require(item.value(forKey: "amount") as? NSDecimalNumber)
            // SQLite has doubles, in Apple's format too.
            #expect(
                read.doubleValue == NSDecimalNumber(decimal: amount).doubleValue || amount.isNaN && read == .notANumber)
        }
    }

    @Test("A number that no decimal is becomes 'not a number', however it gets into the store")
    func infiniteDecimals() throws {
        let stack = try Self.stack(NSSQLiteStoreType)
        let context = stack.context()
        context.make("Item", ["key": 0, "amount": Double.infinity])
        context.make("Item", ["key": 1, "amount": 2])
        try context.save()
        let insert = NSBatchInsertRequest(entityName: "Item", objects: [["key": 2, "amount": -Double.infinity]])
        try context.execute(insert)
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.predicate = NSPredicate(format: "key == 1")
        update.propertiesToUpdate = ["amount": NSExpression(format: "amount * %lf", Double.infinity)]
        try context.execute(update)
        let amounts = try stack.reopened().all("Item", sort: "key").map {
            $0.value(forKey: "amount") as? NSDecimalNumber
        }
        #expect(amounts == [.notANumber, .notANumber, .notANumber])
    }

    @Test("A number in an XML store that is beyond its type is an error, and infinity is infinity")
    func numbersBeyondTheirType() throws {
        for (type, text, isRead) in [
            (NSAttributeType.doubleAttributeType, "1E+400", false), (.doubleAttributeType, "1e308", true),
            (.doubleAttributeType, "-inf", true), (.floatAttributeType, "1e39", false),
            (.floatAttributeType, "infinity", true), (.dateAttributeType, "-9e999", false),
        ] {
            let model = CodedModel.model("Thing", "number", type)
            let stack = try TemporaryStack(model: model, storeType: NSXMLStoreType)
            let context = stack.context()
            let value: Any = type == .dateAttributeType ? Date(timeIntervalSinceReferenceDate: 4711) : 4711
            context.make("Thing", ["number": value])
            try context.save()
            let contents = try String(contentsOf: stack.storeURL, encoding: .utf8)
            let written = type == .dateAttributeType ? "4711.00000000000000000000" : "4711"
            #expect(contents.contains(">\(written)<"), "\(contents)")
            try contents.replacingOccurrences(of: ">\(written)<", with: ">\(text)<")
                .write(to: stack.storeURL, atomically: false, encoding: .utf8)
            if isRead {
                let read = try stack.reopened().all("Thing").first?.value(forKey: "number") as? NSNumber
                #expect(read?.doubleValue == Double(text))
            } else {
                let error = #expect(throws: NSError.self) { _ = try stack.reopened() }
                #expect(error?.localizedDescription.contains("number") == true, "\(String(describing: error))")
            }
        }
    }

    @Test("Whole decimals are among numbers where they equal one of them")
    func wholeDecimals() {
        for number in [NSNumber(value: Int64.min), NSNumber(value: UInt64(1) << 63), 7, NSNumber(value: Int64.max)] {
            let decimal = Decimal(string: number.stringValue)
            let object: [String: Any] = ["d": NSDecimalNumber(decimal: decimal ?? .nan)]
            #expect(NSPredicate(format: "d == %@", number).evaluate(with: object), "\(number)")
            #expect(NSPredicate(format: "d IN %@", [number, 1]).evaluate(with: object), "\(number)")
            #expect(!NSPredicate(format: "d IN %@", [number.doubleValue + 4096, 1]).evaluate(with: object))
        }
    }

    @Test("A batch archives a URL in a transformable attribute, as a save does")
    func transformableURL() throws {
        let stack = try Self.stack(NSSQLiteStoreType)
        let context = stack.context()
        let url = try #require(URL(string: "http://a/b"))
        context.make("Item", ["key": 0, "box": url])
        context.make("Item", ["key": 1])
        try context.save()
        try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["key": 2, "box": url]]))
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.predicate = NSPredicate(format: "key == 1")
        update.propertiesToUpdate = ["box": url]
        try context.execute(update)
        let boxes = try stack.reopened().all("Item", sort: "key").map { $0.value(forKey: "box") as? URL }
        #expect(boxes == [url, url, url])
    }
}
