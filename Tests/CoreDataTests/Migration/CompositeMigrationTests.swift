import CoreData
import Foundation
import Testing

@Suite("Composite attributes in a migration")
struct CompositeMigrationTests {
    private static func model(_ name: String, _ elements: [NSAttributeDescription]) -> NSManagedObjectModel {
        let composite = NSCompositeAttributeDescription()
        composite.name = name
        composite.renamingIdentifier = "place"
        composite.isOptional = true
        composite.elements = elements
        let shop = NSEntityDescription()
        shop.name = "Shop"
        shop.properties = [MigrationLibrary.attribute("number", .integer64AttributeType), composite]
        let model = NSManagedObjectModel()
        model.entities = [shop]
        return model
    }

    private static func element(
        _ name: String, _ type: NSAttributeType = .stringAttributeType, was: String? = nil, initial: Any? = nil
    ) -> NSAttributeDescription {
        let element = MigrationLibrary.attribute(name, type)
        element.renamingIdentifier = was
        if let initial {
            element.defaultValue = initial
            element.isOptional = false
        }
        return element
    }

    private static func inner(_ name: String, _ elements: [NSAttributeDescription]) -> NSCompositeAttributeDescription {
        let inner = NSCompositeAttributeDescription()
        inner.name = name
        inner.isOptional = true
        inner.elements = elements
        return inner
    }

    private static func old() -> NSManagedObjectModel {
        model(
            "place",
            [
                element("city"), element("height", .doubleAttributeType), element("code"),
                inner("owner", [element("first"), element("last")]),
            ])
    }

    /// City becomes town, the code goes, the country is new, the height is required; of the owner the last name is renamed.
    private static func new() -> NSManagedObjectModel {
        model(
            "location",
            [
                element("town", was: "city"), element("height", .doubleAttributeType, initial: 7.5),
                element("country", initial: "nowhere"),
                inner("owner", [element("first"), element("family", was: "last")]),
            ])
    }

    @Test(
        "keep the values of elements that are renamed, in every type of store", arguments: Library.storeTypes.dropLast()
    )
    func renamed(type: String) throws {
        let folder = try TemporaryFolder()
        let (url, target) = (folder.url.appendingPathComponent("Shops"), folder.url.appendingPathComponent("New"))
        let (old, new) = (Self.old(), Self.new())
        let stack = try AtomicStack(url, type: type, model: old)
        try stack.context.performAndWait {
            stack.context.make(
                "Shop",
                [
                    "number": 1,
                    "place": [
                        "city": "Ulm", "height": 478.0, "code": "x",
                        "owner": ["first": "Ada", "last": "Berg"] as [String: Any],
                    ] as [String: Any],
                ])
            stack.context.make("Shop", ["number": 2, "place": ["city": "Bonn"]])
            stack.context.make("Shop", ["number": 3])
            try stack.context.save()
        }
        try stack.close()
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        try NSMigrationManager(sourceModel: old, destinationModel: new)
            .migrateStore(
                from: url, type: NSPersistentStore.StoreType(rawValue: type), mapping: mapping, to: target,
                type: NSPersistentStore.StoreType(rawValue: type))
        if type == NSSQLiteStoreType {
            try expectNew(
                url, type, new,
                [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true])
            #expect(try FreshSchema.present(in: url) == FreshSchema.of(new, historyTracking: false))
        }
        try expectNew(target, type, new, nil)
    }

    private func expectNew(
        _ url: URL, _ type: String, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]?
    ) throws {
        let stack = try AtomicStack(url, type: type, model: model, options: options)
        try stack.context.performAndWait {
            let shops = try stack.context.all("Shop", sort: "number")
            let places = shops.map { $0.value(forKey: "location") as? [String: Any] ?? [:] }
            #expect(places.map { $0["town"] as? String } == ["Ulm", "Bonn", nil])
            #expect(places.map { $0["height"] as? Double } == [478, 7.5, 7.5])
            #expect(places.map { $0["country"] as? String } == ["nowhere", "nowhere", "nowhere"])
            #expect(places.map { ($0["owner"] as? [String: Any])?["family"] as? String } == ["Berg", nil, nil])
            #expect(places.allSatisfy { $0["code"] == nil })
        }
        try stack.close()
    }

    @Test("are refused where an element gets another type, or is required and has no value; the error names it")
    func refused() throws {
        let other = Self.old()
        let wrong: [(NSAttributeDescription, String)] = [
            (Self.element("height"), "its type was Double and is String"),
            (
                {
                    let new = Self.element("extra"); new.isOptional = false; return new
                }(), "its element extra is new"
            ),
        ]
        for (element, reason) in wrong {
            let new = Self.model("place", [Self.element("city"), element])
            let error = #expect(throws: NSError.self) {
                try NSMappingModel.inferredMappingModel(forSourceModel: other, destinationModel: new)
            }
            #expect(error?.code == NSInferredMappingModelError)
            #expect(error?.localizedDescription.contains("Shop.place") == true)
            #expect(error?.localizedDescription.contains(reason) == true, "\(error!)")
        }
    }

    @Test("get from an expression only what they can have")
    func wrongValue() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Shops")
        let model = Self.old()
        let stack = try AtomicStack(url, type: NSSQLiteStoreType, model: model)
        try stack.context.performAndWait {
            stack.context.make("Shop", ["number": 1])
            try stack.context.save()
        }
        try stack.close()
        for value in [["nowhere": "x"], ["height": "high"], ["owner": ["third": 3]], "text"] as [Any] {
            let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
            mapping.entityMappings[0].attributeMappings?.first { $0.name == "place" }?.valueExpression =
                NSExpression(forConstantValue: value)
            let error = #expect(throws: NSError.self) {
                try NSMigrationManager(sourceModel: model, destinationModel: model).migrateStore(
                    from: url, type: .sqlite, mapping: mapping,
                    to: folder.url.appendingPathComponent(UUID().uuidString),
                    type: .sqlite)
            }
            #expect(error?.code == NSEntityMigrationPolicyError)
            #expect(
                error?.localizedDescription.contains("'place'") == true || "\(value)".contains("third"), "\(error!)")
        }
    }
}
