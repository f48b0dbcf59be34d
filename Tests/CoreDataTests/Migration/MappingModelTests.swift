import CoreData
import Foundation
import Testing

@Suite("Mapping models")
struct MappingModelTests {
    @Test("are inferred with Apple's names and types, one for each entity")
    func inferred() throws {
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let added = NSEntityDescription()
        added.name = "Shelf"
        new.entities += [added]
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let names = mapping.entityMappings.map { $0.name ?? "" }.sorted()
        #expect(names.contains("IEM_Transform_Writer"))
        #expect(names.contains("IEM_Transform_Book"))
        #expect(names.contains("IEM_Add_Shelf"))
        let writer = try #require(mapping.entityMappingsByName["IEM_Transform_Writer"])
        #expect(writer.mappingType == .transformEntityMappingType)
        #expect(writer.sourceEntityName == "Author")
        #expect(writer.sourceEntityVersionHash == old.entitiesByName["Author"]?.versionHash)
        #expect(writer.attributeMappings?.contains { $0.name == "name" } == true)
        let back = try NSMappingModel.inferredMappingModel(forSourceModel: new, destinationModel: withoutRequired(old))
        #expect(back.entityMappings.contains { $0.name == "IEM_Remove_Shelf" })
        let same = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: Library.model())
        #expect(same.entityMappings.allSatisfy { $0.mappingType == .copyEntityMappingType })
    }

    @Test("are equal when they do the same, wherever they come from")
    func equality() throws {
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let one = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let two = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        #expect(one == two)
        #expect(one.hash == two.hash)
        let property = try #require(two.entityMappingsByName["IEM_Transform_Writer"]?.attributeMappings?.first)
        property.valueExpression = NSExpression(forConstantValue: "another")
        #expect(one != two)
    }

    private func withoutRequired(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        let copy = model.copy() as! NSManagedObjectModel
        for attribute in copy.entities.flatMap({ $0.attributesByName.values }) { attribute.isOptional = true }
        return copy
    }

    @Test("aren't inferred where values would be lost or made up; the error names them")
    func refused() throws {
        let (old, new) = (try Library.model(), try Library.model())
        let book = new.entitiesByName["Book"]!
        let required = MigrationLibrary.attribute("required", .stringAttributeType)
        required.isOptional = false
        book.properties += [required]
        book.attributesByName["title"]!.attributeType = .integer32AttributeType
        let error = #expect(throws: NSError.self) {
            try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        }
        #expect(error?.code == NSInferredMappingModelError)
        #expect(error?.localizedDescription.contains("Book.required") == true)
        #expect(error?.localizedDescription.contains("Book.title") == true)
    }

    @Test(
        "that Xcode compiled are read whole",
        .enabled(if: SQLiteSchemaFixtures.folder != nil))
    func compiled() throws {
        let file = try #require(SQLiteSchemaFixtures.folder).appendingPathComponent(
            "files/cdm/alemar11__CoreDataPlus/Tests/Resources/SampleModel/Fixtures/V2toV3.cdm")
        let mapping = try #require(NSMappingModel(contentsOf: file))
        let car = try #require(mapping.entityMappingsByName["SportCarToSportCar"])
        #expect(car.mappingType == .customEntityMappingType)
        #expect(car.entityMigrationPolicyClassName == "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
        #expect(car.attributeMappings?.map { $0.name ?? "" }.contains("numberPlate") == true)
        #expect(
            car.sourceExpression?.description
                == #"FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "SportCar", "TRUEPREDICATE"), $manager.sourceContext, NO)"#
        )
        let owner = try #require(car.relationshipMappings?.first { $0.name == "owner" }?.valueExpression)
        #expect("\(owner)".contains("destinationInstancesForEntityMappingNamed:sourceInstances:"))
    }

    @Test("that are damaged are refused, and never crash", .enabled(if: SQLiteSchemaFixtures.folder != nil))
    func hostile() throws {
        let file = try #require(SQLiteSchemaFixtures.folder).appendingPathComponent(
            "files/cdm/alemar11__CoreDataPlus/Tests/Resources/SampleModel/Fixtures/V2toV3.cdm")
        let data = try Data(contentsOf: file)
        let scratch = try TemporaryFolder()
        let damaged = scratch.url.appendingPathComponent("Damaged.cdm")
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var bytes = data
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = UInt8.random(in: 0...255, using: &generator)
            }
            try bytes.write(to: damaged)
            _ = NSMappingModel(contentsOf: damaged)
        }
    }
}
