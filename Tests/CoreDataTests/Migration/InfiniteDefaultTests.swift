import CoreData
import Foundation
import Testing

@Suite("An attribute that is added with an infinite default value")
struct InfiniteDefaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func model(withDefault number: Double?, isOptional: Bool = true) -> NSManagedObjectModel {
        let entity = CodedModel.entity("Item", [("label", .stringAttributeType)])
        guard let number else { return CodedModel.model(entity) }
        for (name, type, value) in [
            ("real", NSAttributeType.doubleAttributeType, number as Any),
            ("single", .floatAttributeType, Float(number)),
            ("date", .dateAttributeType, Date(timeIntervalSinceReferenceDate: number)),
        ] {
            let attribute = MigrationLibrary.attribute(name, type)
            attribute.defaultValue = value
            attribute.isOptional = isOptional
            entity.properties.append(attribute)
        }
        return CodedModel.model(entity)
    }

    @Test("has it in the rows that were there", arguments: [Double.infinity, -.infinity, 1.5], [true, false])
    func inPlace(number: Double, isOptional: Bool) throws {
        let url = folder.url.appendingPathComponent("store.sqlite")
        let old = try NSPersistentStoreCoordinator.context(Self.model(withDefault: nil), at: url)
        try old.performAndWait {
            old.make("Item", ["label": "a"])
            try old.save()
        }
        try old.closeStores()
        let context = try NSPersistentStoreCoordinator.context(
            Self.model(withDefault: number, isOptional: isOptional), at: url)
        try context.performAndWait {
            let item = try #require(context.all("Item").first)
            #expect(item.value(forKey: "real") as? Double == number)
            #expect(item.value(forKey: "single") as? Float == Float(number))
            #expect((item.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate == number)
            item.setValue("b", forKey: "label")
            try context.save()
        }
        try context.closeStores()
    }
}
