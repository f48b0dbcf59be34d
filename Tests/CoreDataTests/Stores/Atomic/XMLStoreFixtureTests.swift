import CoreData
import Foundation
import Testing

@Suite("Apple's XML stores are read and written", .enabled(if: AtomicStoreFixtures.isPresent))
struct XMLStoreFixtureTests {
    private static let stores = AtomicStoreFixtures.paths("xmlstore", ["xml", "paw"])
    private static let mappingModels = AtomicStoreFixtures.paths("xcmappingmodel", ["xml"])

    private func open(_ path: String) throws -> (FixtureStack, PlainXMLStore) {
        let plain = try PlainXMLStore(AtomicStoreFixtures.url(path))
        let isMapping = path.contains("/xcmappingmodel/")
        let model = try isMapping ? AtomicStoreFixtures.mappingModel() : plain.model()
        return (try FixtureStack(path, type: NSXMLStoreType, model: model), plain)
    }

    @Test("There are as many as the catalogue says")
    func count() {
        #expect(Self.stores.count == 11)
        #expect(Self.mappingModels.count == 19)
    }

    @Test("Every object, value and relationship is what a plain XML parser sees", arguments: stores + mappingModels)
    func values(path: String) throws {
        let (fixture, plain) = try open(path)
        let objects = try fixture.objects()
        #expect(objects.count == plain.objects.count)
        #expect(fixture.stack.store.identifier == plain.identifier)
        let numbers = Dictionary(uniqueKeysWithValues: objects.map { ($1.objectID, $0.number) })
        let known = Set(numbers.values)
        for expected in plain.objects {
            let object = try #require(objects[FixtureObjectKey(number: expected.number, entity: expected.type)])
            var names = Dictionary(
                uniqueKeysWithValues: object.entity.propertiesByName.keys.map { ($0.lowercased(), $0) })
            for (name, type, text) in expected.attributes {
                let key = try #require(names[name])
                names[name] = nil
                let value = object.value(forKey: key)
                #expect(PlainXMLStore.matches(value, type, text), "z\(expected.number).\(name)")
            }
            for (name, _, _, destinations) in expected.relationships {
                let key = try #require(names[name])
                names[name] = nil
                let present = Set(destinations).intersection(known)
                let toOne = (object.value(forKey: key) as? NSManagedObject).map { [$0] }
                let members = toOne ?? Array(object.members(key))
                #expect(Set(members.compactMap { numbers[$0.objectID] }) == present, "z\(expected.number).\(name)")
            }
            for key in names.values where object.entity.attributesByName[key] != nil {
                #expect(object.value(forKey: key) == nil, "z\(expected.number).\(key)")
            }
        }
    }

    @Test("Written back, it is the same file byte for byte", arguments: stores + mappingModels)
    func rewriting(path: String) throws {
        let (fixture, plain) = try open(path)
        let original = try String(contentsOf: AtomicStoreFixtures.url(path), encoding: .utf8)
        try fixture.rewrite()
        let written = try String(contentsOf: fixture.url, encoding: .utf8)
        let numbers = Set(plain.objects.map(\.number))
        let dangling = Set(plain.objects.flatMap(\.relationships).flatMap(\.numbers)).subtracting(numbers)
        let (actual, expected) = (Self.lines(written, without: []), Self.lines(original, without: dangling))
        if plain.guessesInheritance {
            let others = actual.difference(from: expected).filter { change in
                guard case .insert(_, let line, _) = change else { return true }
                return !line.hasSuffix("\"></relationship>") || line.contains("idrefs")
            }
            #expect(others.isEmpty)
        } else if numbers.count < plain.objects.count {
            // Where two objects share a number, which comes first isn't kept.
            #expect(actual.sorted() == expected.sorted())
        } else {
            #expect(actual == expected)
        }
    }

    /// The lines but the first, which systems write differently: `standalone` is yes, no or not there. Numbers of objects
    /// that aren't there can't be kept.
    private static func lines(_ text: String, without dangling: Set<Int>) -> [String] {
        var lines = text.components(separatedBy: "\n").dropFirst()
        if lines.last == "" { lines.removeLast() }
        return lines.map { line in
            dangling.reduce(line) { line, number in
                line.replacingOccurrences(of: " idrefs=\"z\(number)\"", with: "")
                    .replacingOccurrences(of: "\"z\(number) ", with: "\"")
                    .replacingOccurrences(of: " z\(number)\"", with: "\"")
                    .replacingOccurrences(of: " z\(number) ", with: " ")
            }
        }
    }

    @Test("New objects are written as Apple's are: numbered on, properties in Apple's order")
    func newObjects() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("xcmapping.xml")
        let stack = try AtomicStack(url, type: NSXMLStoreType, model: AtomicStoreFixtures.mappingModel())
        let mapping = stack.context.make(
            "XDDevEntityMapping", ["sourceName": "A", "destinationName": "B", "mappingNumber": 1])
        let model = stack.context.make("XDDevMappingModel", ["sourceModelPath": "A&B.xcdatamodel"])
        mapping.setValue(model, forKey: "mappingModel")
        try stack.context.save()
        let text = try String(contentsOf: url, encoding: .utf8)
        #expect(text.hasPrefix("<?xml version=\"1.0\" standalone=\"yes\"?>\n<!DOCTYPE database SYSTEM"))
        #expect(text.contains("<nextObjectID>103</nextObjectID>"))
        let order = ["sourcename", "mappingnumber", "destinationname", "mappingmodel", "attributemappings"]
        let places = order.compactMap { text.range(of: "name=\"\($0)\"")?.lowerBound }
        #expect(places.count == order.count && places == places.sorted())
        #expect(text.contains(">A\\u2600B.xcdatamodel</attribute>"))
        #expect(
            text.contains(
                "<relationship name=\"mappingmodel\" type=\"1/1\" destination=\"XDDEVMAPPINGMODEL\" idrefs=\"z10"))
    }
}
