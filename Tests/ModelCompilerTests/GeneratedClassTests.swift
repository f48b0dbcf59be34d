import Foundation
import ModelCompiler
import Testing

@Suite("Generated classes")
struct GeneratedClassTests {
    /// What is in the zoo's model by hand: the class of a category, and all of a manual entity.
    private static let handWritten = """
        import CoreData
        public class Cage: NSManagedObject {}
        public class Keeper: NSManagedObject {
            @NSManaged public var name: String?
            @NSManaged public var animals: Set<Animal>
        }
        """

    private func files(includesManual: Bool) throws -> [String: String] {
        try ModelText.withBundle(ModelText.zoo) {
            try GeneratedModelClasses(model: $0).files(includesManual: includesManual)
        }
    }

    @Test("There is a class for a class definition, properties for a category, nothing for a manual entity")
    func settings() throws {
        let names = try files(includesManual: false).keys.sorted()
        #expect(
            names == [
                "Animal+CoreDataClass.swift", "Animal+CoreDataProperties.swift", "Bird+CoreDataClass.swift",
                "Bird+CoreDataProperties.swift", "Cage+CoreDataProperties.swift",
            ])
        #expect(try files(includesManual: true).keys.contains("Keeper+CoreDataClass.swift"))
    }

    @Test("Properties have the types that Xcode gives them")
    func types() throws {
        let text = try #require(try files(includesManual: false)["Animal+CoreDataProperties.swift"])
        for declaration in [
            "name: String?", "age: Int16", "legs: NSNumber?", "weight: Float", "isTame: Bool", "born: Date?",
            "fed: TimeInterval", "price: NSDecimalNumber?", "photo: Data?", "chip: UUID?", "page: URL?",
            "colour: NSObject?", "sounds: [String]?", "`default`: String?", "keepers: NSSet?", "cage: Cage?",
        ] {
            #expect(text.contains("@NSManaged public var \(declaration)\n"), "\(declaration)")
        }
        #expect(text.contains("public class func fetchRequest() -> NSFetchRequest<Animal> {"))
        #expect(text.contains("@NSManaged public func addToKeepers(_ value: Keeper)\n"))
        #expect(text.contains("extension Animal: Identifiable"))
    }

    @Test("Subclasses inherit from their parent's class, and don't say again that they are identifiable")
    func inheritance() throws {
        let files = try files(includesManual: false)
        #expect(files["Bird+CoreDataClass.swift"]?.contains("public class Bird: Animal {") == true)
        #expect(files["Bird+CoreDataProperties.swift"]?.contains("Identifiable") == false)
    }

    @Test("What a build generates compiles in Swift 6 mode without a warning", .enabled(if: SwiftTool.modules != nil))
    func buildFileCompiles() throws {
        let generated = try ModelText.withBundle(ModelText.zoo) { try GeneratedModelClasses(model: $0).buildFile }
        let bodies = ManagedBodies(
            module: "Zoo", sources: [.init(path: "Keeper.swift", text: Self.handWritten)],
            generated: [.init(path: "Zoo+CoreDataClasses.swift", text: generated)])
        #expect(bodies.diagnostics.isEmpty)
        let messages = try SwiftTool.typecheck(
            ["Keeper.swift": Self.handWritten, "Classes.swift": generated, "Bodies.swift": bodies.text], module: "Zoo")
        #expect(messages.isEmpty)
    }

    @Test("The files that people keep compile too", .enabled(if: SwiftTool.modules != nil))
    func filesCompile() throws {
        let messages = try SwiftTool.typecheck(
            try files(includesManual: true).merging([
                "Cage.swift": "import CoreData\npublic class Cage: NSManagedObject {}"
            ]) { $1 }, module: "Zoo")
        #expect(messages.isEmpty)
    }
}
