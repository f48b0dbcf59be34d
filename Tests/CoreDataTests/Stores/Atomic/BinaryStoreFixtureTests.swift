import CoreData
import Foundation
import Testing

@Suite("Apple's binary stores are read and written", .enabled(if: AtomicStoreFixtures.isPresent))
struct BinaryStoreFixtureTests {
    private static let stores = AtomicStoreFixtures.paths("binarystore", ["paw"])

    @Test("There are as many as the catalogue says")
    func count() {
        #expect(Self.stores.count == 5)
    }

    @Test("Every object, value and relationship is what Foundation's unarchiver sees", arguments: stores)
    func values(path: String) throws {
        let plain = try PlainBinaryStore(AtomicStoreFixtures.url(path))
        let fixture = try FixtureStack(path, type: NSBinaryStoreType, model: plain.model())
        let objects = try fixture.objects()
        #expect(plain.objects.count > 50)
        #expect(objects.count == plain.objects.count)
        #expect(plain.lastNumber == objects.keys.map(\.number).max())
        #expect(fixture.stack.store.identifier == plain.metadata[NSStoreUUIDKey] as? String)
        let numbers = Dictionary(uniqueKeysWithValues: objects.map { ($1.objectID, $0.number) })
        for (number, expected) in plain.objects {
            let object = try #require(objects[FixtureObjectKey(number: number, entity: expected.entity.uppercased())])
            for name in object.entity.attributesByName.keys {
                let index = try #require(Int(name.dropFirst()))
                let value = expected.values[index]
                if value is NSNull {
                    #expect(object.value(forKey: name) == nil, "\(number).\(name)")
                } else if let text = object.value(forKey: name) as? String {
                    #expect(value as? NSString == text as NSString, "\(number).\(name)")
                } else {
                    #expect(value == object.value(forKey: name) as? NSNumber, "\(number).\(name)")
                }
            }
            for name in object.entity.relationshipsByName.keys {
                let toOne = (object.value(forKey: name) as? NSManagedObject).map { [$0] }
                let members = toOne ?? (object.value(forKey: name) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
                #expect(members.map { numbers[$0.objectID] } == expected.destinations[name, default: []])
            }
        }
    }

    @Test("Written back, Foundation's unarchiver sees the same objects", arguments: stores)
    func rewriting(path: String) throws {
        let before = try PlainBinaryStore(AtomicStoreFixtures.url(path))
        let fixture = try FixtureStack(path, type: NSBinaryStoreType, model: before.model())
        try fixture.rewrite()
        #expect(try Data(contentsOf: fixture.url) != Data(contentsOf: AtomicStoreFixtures.url(path)))
        let after = try PlainBinaryStore(fixture.url)
        #expect(after.objects == before.objects)
        #expect(after.lastNumber == before.lastNumber)
        #expect(after.metadata as NSDictionary == before.metadata as NSDictionary)
    }
}
