import CoreData
import Foundation
import Testing

@Suite("XML and binary stores hold transformable and composite attributes")
struct ArchivedValueTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
    }

    private func model() -> NSManagedObjectModel {
        let tags = NSAttributeDescription(optional: "tags", .transformableAttributeType)
        tags.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.isOptional = true
        place.elements = [
            NSAttributeDescription(optional: "City", .stringAttributeType),
            NSAttributeDescription(optional: "since", .dateAttributeType),
        ]
        let shop = NSEntityDescription()
        shop.name = "Shop"
        shop.properties = [NSAttributeDescription(optional: "name", .stringAttributeType), tags, place]
        let model = NSManagedObjectModel()
        model.entities = [shop]
        return model
    }

    @Test("They come back from the file, and stay nil where they are", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func values(type: String) throws {
        let stack = try AtomicStack(url, type: type, model: model())
        let since = Date(timeIntervalSinceReferenceDate: 12.5)
        stack.context.make(
            "Shop", ["name": "A", "tags": ["x", "y"] as NSArray, "place": ["City": "Ulm", "since": since]])
        stack.context.make("Shop", ["name": "B", "place": ["City": "<Köln>"]])
        stack.context.make("Shop", ["name": "C"])
        try stack.context.save()

        let other = try AtomicStack(url, type: type, model: model())
        let shops = try other.context.all("Shop", sort: "name")
        #expect(shops[0].value(forKey: "tags") as? [String] == ["x", "y"])
        let place = try #require(shops[0].value(forKey: "place") as? [String: Any])
        #expect(place["City"] as? String == "Ulm" && place["since"] as? Date == since)
        #expect(shops[1].value(forKey: "tags") == nil)
        #expect((shops[1].value(forKey: "place") as? [String: Any])?.count == 1)
        #expect(shops[2].value(forKey: "place") == nil)
        #expect(try other.context.all("Shop", "place.City == '<Köln>'") == [shops[1]])
    }

    @Test("A transformable that this program can't decode is kept when the object changes")
    func undecodable() throws {
        let stack = try AtomicStack(url, type: NSXMLStoreType, model: model())
        stack.context.make("Shop", ["name": "A", "tags": ["x"] as NSArray])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        var text = try String(contentsOf: url, encoding: .utf8)
        let start = try #require(text.range(of: "<attribute name=\"tags\" type=\"binary\">"))
        let end = try #require(text.range(of: "</attribute>", range: start.upperBound..<text.endIndex))
        text.replaceSubrange(start.upperBound..<end.lowerBound, with: "AAECAwQ=\n")
        try Data(text.utf8).write(to: url)

        let other = try AtomicStack(url, type: NSXMLStoreType, model: model())
        let shop = try #require(other.context.all("Shop").first)
        shop.setValue("Changed", forKey: "name")
        try other.context.save()
        let written = try String(contentsOf: url, encoding: .utf8)
        #expect(written.contains(">Changed</attribute>"))
        #expect(written.contains("<attribute name=\"tags\" type=\"binary\">AAECAwQ=\n</attribute>"))
    }
}
