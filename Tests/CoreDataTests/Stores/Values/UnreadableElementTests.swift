import CoreData
import Foundation
import Synchronization
import Testing

@Suite("A transformable element of a composite attribute that can't be read just now stays in the store")
struct UnreadableElementTests {
    /// Text as its bytes; reads nothing while it is off, as a transformer of a newer version of the program may.
    private final class SwitchedTransformer: ValueTransformer, @unchecked Sendable {
        let isOn = Mutex(true)

        override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.utf8) } }

        override func reverseTransformedValue(_ value: Any?) -> Any? {
            guard isOn.withLock({ $0 }) else { return nil }
            return (value as? Data).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private let transformer = SwitchedTransformer()
    private let name = NSValueTransformerName("Switched-\(UUID().uuidString)")

    init() { ValueTransformer.setValueTransformer(transformer, forName: name) }

    private func model() -> NSManagedObjectModel {
        let entity = CodedModel.entity("Item", [("number", .integer64AttributeType)])
        let text = NSAttributeDescription()
        text.name = "text"
        text.attributeType = .stringAttributeType
        let box = NSAttributeDescription()
        box.name = "box"
        box.attributeType = .transformableAttributeType
        box.valueTransformerName = name.rawValue
        let composite = NSCompositeAttributeDescription()
        composite.name = "place"
        composite.elements = [text, box]
        for property in [text, box, composite] { property.isOptional = true }
        entity.properties.append(composite)
        return CodedModel.model(entity)
    }

    @Test(
        "when another property of the object is saved",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func stays(storeType: String) throws {
        let stack = try TemporaryStack(model: model(), storeType: storeType)
        let context = stack.context()
        context.make("Item", ["number": 1, "place": ["text": "a", "box": "b"]])
        try context.save()
        transformer.isOn.withLock { $0 = false }
        let other = try stack.reopened()
        let item = try #require(other.all("Item").first)
        #expect((item.value(forKey: "place") as? [String: Any])?.keys.sorted() == ["text"])
        item.setValue(2, forKey: "number")
        try other.save()
        transformer.isOn.withLock { $0 = true }
        let saved = try #require(stack.reopened().all("Item").first)
        #expect(saved.value(forKey: "number") as? Int == 2)
        #expect(saved.value(forKey: "place") as? [String: String] == ["text": "a", "box": "b"])
    }
}
