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
    }

    @Test("Files that people keep are both, whatever the setting, as those of Xcode's menu are")
    func kept() throws {
        let names = try files(includesManual: true).keys.sorted()
        #expect(
            names
                == ["Animal", "Bird", "Cage", "Keeper"].flatMap {
                    ["\($0)+CoreDataClass.swift", "\($0)+CoreDataProperties.swift"]
                })
    }

    @Test("Properties have the types that Xcode gives them")
    func types() throws {
        let text = try #require(try files(includesManual: false)["Animal+CoreDataProperties.swift"])
        for declaration in [
            "name: String?", "age: Int16", "legs: NSNumber?", "weight: Float", "isTame: Bool", "born: Date?",
            "fed: TimeInterval", "price: NSDecimalNumber?", "photo: Data?", "chip: UUID?", "page: URL?",
            "colour: NSObject?", "sounds: [String]?", "calls: NSArray?", "`default`: String?", "keepers: NSSet?",
            "cage: Cage?",
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

    @Test(
        "What a build generates compiles in Swift 6 mode without a warning, with main actors and internal imports too",
        .enabled(if: SwiftTool.modules != nil),
        arguments: [
            [], ["-default-isolation", "MainActor"], ["-enable-upcoming-feature", "InternalImportsByDefault"],
        ])
    func buildFileCompiles(options: [String]) throws {
        let isIsolated = options.contains("MainActor")
        let generated = try ModelText.withBundle(ModelText.zoo) { try GeneratedModelClasses(model: $0).buildFile() }
        // As on Apple's platforms: the superclass is isolated to none.
        let source = Self.handWritten.replacing("import CoreData", with: "public import CoreData")
        let handWritten = isIsolated ? source.replacing("public class", with: "nonisolated public class") : source
        let bodies = ManagedBodies(
            module: "Zoo", sources: [.init(path: "Keeper.swift", text: handWritten)],
            generated: [.init(path: "Zoo+CoreDataClasses.swift", text: generated)])
        #expect(bodies.diagnostics.isEmpty)
        let messages = try SwiftTool.typecheck(
            [
                "Keeper.swift": handWritten, "Classes.swift": generated, "Bodies.swift": bodies.text,
                // As the package manager writes it for targets with resources.
                "Bundle.swift": "import Foundation\nextension Bundle { static let module = Bundle.main }",
            ], module: "Zoo", options: options)
        #expect(messages.isEmpty)
    }

    @Test("A generated class overrides what the target's extensions do, where those count on Linux")
    func extensionOverrides() throws {
        let sources = [
            "extension Animal { public override func awakeFromInsert() { super.awakeFromInsert() } }",
            "extension Bird { override open class func entity() -> NSEntityDescription { super.entity() } }",
            // As the porting tool writes it for people; and what a package has for Apple's platforms alone.
            """
            extension Animal {
                #if canImport(ObjectiveC)
                override public func willSave() { willSaveOfAnimal() }
                override public func didSave() { super.didSave() }
                #endif
                public func willSaveOfAnimal() { super.willSave() }
            }
            """,
            "extension Cage { override func awakeFromFetch() {} }",
        ]
        let overrides = sources.flatMap { ExtensionOverride.all(in: $0) }
        let text = try ModelText.withBundle(ModelText.zoo) {
            try GeneratedModelClasses(model: $0).buildFile(overrides: overrides)
        }
        #expect(text.contains("    public override func awakeFromInsert() { awakeFromInsertOfAnimal() }\n"))
        #expect(text.contains("    public override class func entity() -> NSEntityDescription { entityOfBird() }\n"))
        #expect(text.contains("    public override func willSave() { willSaveOfAnimal() }\n"))
        #expect(!text.contains("didSave"))
        // The cage's class is written by hand.
        #expect(!text.contains("awakeFromFetch"))
    }

    @Test(
        "What the compiler has to say about generated code points at the model", .enabled(if: SwiftTool.modules != nil))
    func locations() throws {
        // The keeper's class is to be written by hand, and isn't there.
        let model = ModelText.zoo.replacingOccurrences(of: "[String]", with: "Sound")
        let generated = try ModelText.withBundle(model) { try GeneratedModelClasses(model: $0).buildFile() }
        let failure = #expect(throws: SwiftTool.Failure.self) {
            try SwiftTool.typecheck(["Classes.swift": generated], module: "Zoo")
        }
        let messages = failure?.description ?? ""
        for (missing, place) in [
            ("Keeper", "name=\"keepers\""), ("Sound", "name=\"sounds\""), ("Cage", "name=\"Cage\""),
        ] {
            let line =
                try #require(
                    model.split(separator: "\n", omittingEmptySubsequences: false)
                        .firstIndex { $0.contains(place) }) + 1
            let pattern = "Zoo.xcdatamodel/contents:\(line):[0-9]+: error: cannot find type '\(missing)' in scope"
            #expect(messages.range(of: pattern, options: .regularExpression) != nil, "\(missing): \(messages)")
        }
    }

    @Test("In a target with several models, comments say where in the model a line comes from")
    func comments() throws {
        let text = try ModelText.withBundle(ModelText.zoo) { try GeneratedModelClasses(model: $0).buildFile(.comments) }
        #expect(!text.contains("#sourceLocation"))
        let age = try #require(text.split(separator: "\n").first { $0.contains("var age: Int16") })
        #expect(age.hasSuffix("/Zoo.xcdatamodel/contents:5"))
    }

    @Test("Two entities can't have the same class generated")
    func sharedClass() throws {
        let model = ModelText.zoo.replacingOccurrences(
            of: "representedClassName=\"Bird\"", with: "representedClassName=\"Animal\"")
        let error = #expect(throws: CompilerDiagnostic.self) {
            try ModelText.withBundle(model) { try GeneratedModelClasses(model: $0) }
        }
        #expect(error?.description.contains("Zoo.xcdatamodel/contents:") == true)
        #expect(
            error?.message.contains("entity Bird: its class Animal would be generated for the entity Animal as well")
                == true)
    }

    @Test("The files that people keep compile too", .enabled(if: SwiftTool.modules != nil))
    func filesCompile() throws {
        let messages = try SwiftTool.typecheck(
            try files(includesManual: true), module: "Zoo")
        #expect(messages.isEmpty)
    }
}
