import CoreData
import Foundation
import Testing

@Suite("An attribute that gets a wider type of number")
struct WideningMigrationTests {
    struct Step: CustomTestStringConvertible, Sendable {
        let from: NSAttributeType
        let to: NSAttributeType
        let numbers: [Double]
        var testDescription: String { "\(from.rawValue) to \(to.rawValue)" }
    }

    private static let small: [Double] = [0, 1, -1, 32767, -32768]
    private static let medium: [Double] = [0, 1, -1, 2_147_483_647, -2_147_483_648]
    private static let large: [Double] = [0, -1, 9_007_199_254_740_992, -9_007_199_254_740_992]

    static let steps = [
        Step(from: .integer16AttributeType, to: .integer32AttributeType, numbers: small),
        Step(from: .integer16AttributeType, to: .integer64AttributeType, numbers: small),
        Step(from: .integer32AttributeType, to: .integer64AttributeType, numbers: medium),
        Step(from: .integer64AttributeType, to: .doubleAttributeType, numbers: large),
        Step(from: .integer16AttributeType, to: .floatAttributeType, numbers: small),
        Step(from: .integer16AttributeType, to: .doubleAttributeType, numbers: small),
        Step(from: .integer32AttributeType, to: .doubleAttributeType, numbers: medium),
        Step(from: .floatAttributeType, to: .doubleAttributeType, numbers: [0, 1.5, -0.25]),
        Step(from: .integer16AttributeType, to: .decimalAttributeType, numbers: small),
        Step(from: .integer32AttributeType, to: .decimalAttributeType, numbers: medium),
        Step(from: .integer64AttributeType, to: .decimalAttributeType, numbers: large),
        Step(from: .booleanAttributeType, to: .integer16AttributeType, numbers: [0, 1]),
        Step(from: .booleanAttributeType, to: .integer32AttributeType, numbers: [0, 1]),
        Step(from: .booleanAttributeType, to: .integer64AttributeType, numbers: [0, 1]),
    ]

    private static let numberTypes: [NSAttributeType] = [
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
        .doubleAttributeType, .floatAttributeType, .booleanAttributeType, .stringAttributeType, .dateAttributeType,
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func model(_ type: NSAttributeType, isNested: Bool = false) -> NSManagedObjectModel {
        let entity = CodedModel.entity("Widened", [("label", .stringAttributeType), ("number", type)])
        if isNested {
            let place = NSCompositeAttributeDescription()
            place.name = "place"
            place.elements = [
                MigrationLibrary.attribute("inner", type), MigrationLibrary.attribute("word", .stringAttributeType),
            ]
            entity.properties += [place]
        }
        return CodedModel.model(entity)
    }

    private func make(_ step: Step, _ type: String, at url: URL, isNested: Bool = false) throws {
        let context = try NSPersistentStoreCoordinator.context(
            Self.model(step.from, isNested: isNested), at: url, type: type)
        try context.performAndWait {
            for number in step.numbers {
                let object = context.make("Widened", ["label": "\(number)", "number": NSNumber(value: number)])
                if isNested { object.setValue(["inner": NSNumber(value: number), "word": "w"], forKey: "place") }
            }
            context.make("Widened", ["label": "none"])
            try context.save()
        }
        try context.closeStores()
    }

    private func check(_ step: Step, _ context: NSManagedObjectContext, isNested: Bool = false) throws {
        try context.performAndWait {
            for number in step.numbers {
                let found = try context.all("Widened", "label == '\(number)'")
                #expect((found.first?.value(forKey: "number") as? NSNumber)?.doubleValue == number)
                let count = try context.all("Widened", "number == \(NSDecimalNumber(value: number))").count
                #expect(count == 1, "\(number) is found by its value")
                if isNested {
                    let place = found.first?.value(forKey: "place") as? [String: Any]
                    #expect((place?["inner"] as? NSNumber)?.doubleValue == number)
                    #expect(place?["word"] as? String == "w")
                }
            }
            #expect(try context.all("Widened", "label == 'none'").first?.value(forKey: "number") == nil)
        }
        try context.closeStores()
    }

    @Test("keeps its values in place", arguments: steps)
    func inPlace(step: Step) throws {
        let url = folder.url.appendingPathComponent("store.sqlite")
        try make(step, NSSQLiteStoreType, at: url, isNested: true)
        try check(
            step, NSPersistentStoreCoordinator.context(Self.model(step.to, isNested: true), at: url), isNested: true)
    }

    @Test("keeps its values by a manager", arguments: steps, [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func byManager(step: Step, type: String) throws {
        let (url, copy) = (folder.url.appendingPathComponent("old"), folder.url.appendingPathComponent("new"))
        let (old, new) = (Self.model(step.from), Self.model(step.to))
        try make(step, type, at: url)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: type, options: nil, with: mapping, toDestinationURL: copy, destinationType: type,
            destinationOptions: nil)
        try check(step, NSPersistentStoreCoordinator.context(new, at: copy, type: type))
    }

    @Test("keeps the elements of a composite attribute by a manager", arguments: steps)
    func elementsByManager(step: Step) throws {
        let (url, copy) = (folder.url.appendingPathComponent("old"), folder.url.appendingPathComponent("new"))
        let (old, new) = (Self.model(step.from, isNested: true), Self.model(step.to, isNested: true))
        try make(step, NSSQLiteStoreType, at: url, isNested: true)
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping, toDestinationURL: copy,
            destinationType: NSSQLiteStoreType, destinationOptions: nil)
        try check(step, NSPersistentStoreCoordinator.context(new, at: copy), isNested: true)
    }

    @Test("is the only change of type that is inferred")
    func refused() throws {
        for from in Self.numberTypes {
            for to in Self.numberTypes where from != to {
                let isAllowed = Self.steps.contains { $0.from == from && $0.to == to }
                let mapping = try? NSMappingModel.inferredMappingModel(
                    forSourceModel: Self.model(from), destinationModel: Self.model(to))
                #expect((mapping != nil) == isAllowed, "\(from.rawValue) to \(to.rawValue)")
            }
        }
    }
}
