import CoreData
import Foundation
import Testing

/// Every kind of value and relationship, taken from each type of store to each other.
@Suite("Save As between all types of stores")
struct SaveAsMatrixTests {
    struct Pair: CustomTestStringConvertible, Sendable {
        var source: String
        var destination: String
        var testDescription: String { "\(source) to \(destination)" }
    }

    static let pairs = Library.storeTypes.flatMap { source in
        Library.storeTypes.map { Pair(source: source, destination: $0) }
    }

    private static let count = 300
    private static let attributes: [(String, NSAttributeType)] = [
        ("number", .integer64AttributeType), ("small", .integer16AttributeType), ("middle", .integer32AttributeType),
        ("exact", .decimalAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
        ("text", .stringAttributeType), ("flag", .booleanAttributeType), ("date", .dateAttributeType),
        ("data", .binaryDataAttributeType), ("uuid", .UUIDAttributeType), ("link", .URIAttributeType),
        ("colors", .transformableAttributeType),
    ]

    private static func model() -> NSManagedObjectModel {
        let (item, special, group) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (item.name, special.name, group.name) = ("Item", "Special", "Group")
        func relationship(_ name: String, _ to: NSEntityDescription, many: Bool, ordered: Bool = false)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = to
            relationship.maxCount = many ? 0 : 1
            relationship.isOrdered = ordered
            relationship.isOptional = true
            return relationship
        }
        func join(_ first: NSRelationshipDescription, _ second: NSRelationshipDescription) {
            first.inverseRelationship = second
            second.inverseRelationship = first
        }
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [
            MigrationLibrary.attribute("city", .stringAttributeType),
            MigrationLibrary.attribute("height", .doubleAttributeType),
        ]
        let pages = relationship("pages", item, many: true, ordered: true)
        let owner = relationship("owner", item, many: false)
        let groups = relationship("groups", group, many: true)
        let members = relationship("members", item, many: true, ordered: true)
        let leader = relationship("leader", special, many: false)
        let leads = relationship("leads", group, many: false)
        join(pages, owner)
        join(groups, members)
        join(leader, leads)
        item.properties =
            attributes.map { name, type in
                let attribute = MigrationLibrary.attribute(name, type)
                attribute.isOptional = true
                attribute.allowsExternalBinaryDataStorage = type == .binaryDataAttributeType
                return attribute
            } + [place, pages, owner, groups]
        special.properties = [MigrationLibrary.attribute("extra", .stringAttributeType), leads]
        group.properties = [MigrationLibrary.attribute("number", .integer64AttributeType), members, leader]
        item.subentities = [special]
        let model = NSManagedObjectModel()
        model.entities = [item, special, group]
        return model
    }

    /// The values of an object by what they mean; every seventh has none but its number.
    private static func values(_ number: Int) -> [String: Any] {
        if number % 7 == 3 { return ["number": number] }
        return [
            "number": number, "small": -number, "middle": number * 1_000_003 % 2_000_000_000,
            // As many digits as SQLite keeps of a decimal number.
            "exact": NSDecimalNumber(string: "\(number).00000000001"), "double": Double(number) / 3,
            "float": Float(number) / 4, "text": number % 11 == 0 ? "" : "text \(number) é <&> \u{1F4DA}\nnext",
            "flag": number.isMultiple(of: 2), "date": Date(timeIntervalSinceReferenceDate: Double(number) * 86_400.25),
            "data": Data(repeating: UInt8(number % 251), count: number % 50 == 1 ? 250_000 : number % 300),
            "uuid": UUID(
                uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number / 256), UInt8(number % 256))),
            "link": URL(string: "https://example.com/\(number)?a=b&c=d%20e")!, "colors": ["red \(number)", "green"],
            "place": ["city": "City \(number)", "height": Double(number)],
        ]
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        let items = (0..<count).map { number -> NSManagedObject in
            let item = context.make(number % 5 == 0 ? "Special" : "Item", values(number))
            if number % 5 == 0 { item.setValue("extra \(number)", forKey: "extra") }
            return item
        }
        for number in 10..<count where number % 3 == 0 {
            // Not in the order of numbers, nor of insertion.
            items[number % 10].mutableOrderedSetValue(forKey: "pages").insert(items[number], at: 0)
        }
        // An object may lead to itself.
        for number in [2, 5] { items[number].mutableOrderedSetValue(forKey: "pages").add(items[number]) }
        for number in 0..<20 {
            let group = context.make("Group", ["number": number])
            group.setValue(
                NSOrderedSet(array: (0..<30).map { items[($0 * 7 + number) % count] }), forKey: "members")
            group.setValue(items[number * 5], forKey: "leader")
        }
        try context.save()
    }

    /// Everything in a store as text, by number.
    private static func contents(_ context: NSManagedObjectContext) throws -> [String: String] {
        var contents: [String: String] = [:]
        func number(_ object: Any?) -> Int { (object as? NSManagedObject)?.value(forKey: "number") as? Int ?? -1 }
        for item in try context.all("Item") {
            var parts = attributes.map { name, _ -> String in
                switch item.value(forKey: name) {
                case nil: "nil"
                case let data as Data: "\(data.count) × \(data.first ?? 0)"
                case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
                case let value?: "\(value)"
                }
            }
            let place = item.value(forKey: "place") as? [String: Any]
            parts.append("\(place?["city"] ?? "nil") \(place?["height"] ?? "nil")")
            parts.append("pages \((item.value(forKey: "pages") as? NSOrderedSet)?.array.map(number) ?? [])")
            parts.append("owner \(number(item.value(forKey: "owner")))")
            parts.append("groups \(item.members("groups").map(number).sorted())")
            if item.entity.name == "Special" {
                parts.append("\(item.text("extra") ?? "nil") \(number(item.value(forKey: "leads")))")
            }
            contents["\(item.entity.name!) \(number(item))"] = parts.joined(separator: "|")
        }
        for group in try context.all("Group") {
            contents["Group \(number(group))"] =
                "\((group.value(forKey: "members") as? NSOrderedSet)?.array.map(number) ?? []) "
                + "\(number(group.value(forKey: "leader")))"
        }
        return contents
    }

    private static func differences(_ found: [String: String], _ expected: [String: String]) -> [String] {
        Set(found.keys).union(expected.keys).sorted().filter { found[$0] != expected[$0] }.prefix(3).map {
            "\($0): \(expected[$0] ?? "nothing") became \(found[$0] ?? "nothing")"
        }
    }

    @Test("takes every value, order and file along, and registered objects go on under new IDs", arguments: pairs)
    func copies(_ pair: Pair) throws {
        let folder = try TemporaryFolder()
        let (old, new) = (
            folder.url.appendingPathComponent("Old.store"), folder.url.appendingPathComponent("New.store")
        )
        let stack = try AtomicStack(old, type: pair.source, model: Self.model())
        let context = stack.context
        try context.performAndWait {
            try Self.fill(context)
            context.reset()
            let before = try Self.contents(context)
            #expect(before.count == Self.count + 20)
            context.reset()
            // Some objects are registered, some of them faults.
            let seen = try context.all("Item", "number < 40", sort: "number")
            for object in seen.prefix(20) { _ = object.value(forKey: "text") }
            let oldIDs = seen.map(\.objectID)
            let metadata = stack.coordinator.metadata(for: stack.store).merging(["kept": "yes"]) { $1 }
            stack.coordinator.setMetadata(metadata, for: stack.store)
            let oldURIs = oldIDs.map { $0.uriRepresentation() }
            let store = try stack.coordinator.migratePersistentStore(
                stack.store, to: new, withType: pair.destination)
            #expect(seen.allSatisfy { $0.objectID.persistentStore === store && !$0.objectID.isTemporaryID })
            #expect(seen.enumerated().allSatisfy { $1.value(forKey: "number") as? Int == $0 })
            #expect(oldURIs.allSatisfy { stack.coordinator.managedObjectID(forURIRepresentation: $0) == nil })
            for object in seen {
                let uri = object.objectID.uriRepresentation()
                let id = try #require(stack.coordinator.managedObjectID(forURIRepresentation: uri))
                #expect(try context.existingObject(with: id) === object)
            }
            #expect(try Self.differences(Self.contents(context), before) == [])
            #expect(stack.coordinator.metadata(for: store)["kept"] as? String == "yes")
            seen[0].setValue("after", forKey: "text")
            try context.save()
            context.reset()
            var expected = before
            expected["Special 0"] = expected["Special 0"]?.replacing(
                "|\(Self.values(0)["text"]!)|", with: "|after|", maxReplacements: 1)
            #expect(try Self.differences(Self.contents(context), expected) == [])
            try stack.coordinator.remove(store)
            if pair.destination != NSInMemoryStoreType {
                let reopened = try AtomicStack(new, type: pair.destination, model: Self.model())
                #expect(try reopened.context.performAndWait { try Self.contents(reopened.context) } == expected)
            }
            if pair.source != NSInMemoryStoreType {
                let kept = try AtomicStack(old, type: pair.source, model: Self.model())
                #expect(try kept.context.performAndWait { try Self.contents(kept.context) } == before)
            }
        }
    }
}
