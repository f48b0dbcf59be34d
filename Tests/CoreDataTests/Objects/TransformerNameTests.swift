import CoreData
import Foundation
import Testing

// Many programs have it, and then every string is an error, in all of these tests.
// swift-format-ignore: AvoidRetroactiveConformances
extension String: @retroactive Error {}

@Suite("Transformable values are saved under the names that models have")
struct TransformerNameTests {
    @Test("The name of Apple's constant stands for its value, as Xcode's warning gives it")
    func constants() throws {
        for name in ["NSSecureUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromData", nil] {
            let attribute = MigrationLibrary.attribute("tags", .transformableAttributeType)
            attribute.valueTransformerName = name
            let entity = NSEntityDescription()
            entity.name = "Note"
            entity.properties = [attribute]
            let model = NSManagedObjectModel()
            model.entities = [entity]
            let stack = try TemporaryStack(model: model)
            let context = stack.context()
            _ = context.make("Note", ["tags": ["a", "b"]])
            try context.save()
            #expect(try stack.reopened().all("Note").first?.value(forKey: "tags") as? [String] == ["a", "b"])
        }
    }
}
