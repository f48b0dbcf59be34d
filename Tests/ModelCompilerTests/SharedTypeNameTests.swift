import ModelCompiler
import Testing

@Suite("Types of other modules that are called like those of the standard library and Foundation")
struct SharedTypeNameTests {
    private let shadow = SourceText(
        path: "Shadow.swift", text: "public struct Date {}\npublic struct Set<Element> {}\npublic struct Tint {}\n")

    private func bodies(_ members: String, imports: [String], besides: String = "") -> ManagedBodies {
        let text =
            (imports + ["CoreData", "Foundation"]).map { "import \($0)\n" }.joined()
            + "class Pet: NSManagedObject {\n\(members)\n}\n"
        return ManagedBodies(
            module: "App", sources: [.init(path: "Pet.swift", text: text), .init(path: "Other.swift", text: besides)],
            dependencies: ["Shadow": [shadow]])
    }

    @Test("Files that don't import them mean the known ones, which the bodies name with their modules")
    func otherFile() {
        let bodies = bodies(
            "@NSManaged var born: Date?\n@NSManaged var friends: Set<Pet>", imports: [], besides: "import Shadow\n")
        #expect(bodies.diagnostics.isEmpty)
        #expect(bodies.symbols.contains("$s3App3PetC4born20FoundationEssentials4DateVSgvg"))
        #expect(bodies.symbols.contains("$s3App3PetC7friendsShyACGvg"))
        #expect(bodies.text.contains("-> Foundation.Date?"))
        #expect(bodies.text.contains("-> Swift.Set<Pet>"))
    }

    @Test("A name with its module in front is that module's")
    func qualified() {
        let bodies = bodies("@NSManaged var born: Foundation.Date?", imports: ["Shadow"])
        #expect(bodies.diagnostics.isEmpty)
        #expect(bodies.text.contains("-> Foundation.Date?"))
    }

    @Test("Without such a module nothing is written in front")
    func plain() {
        let bodies = ManagedBodies(
            module: "App",
            sources: [.init(path: "P.swift", text: "class Pet: NSManagedObject { @NSManaged var born: Date? }")])
        #expect(bodies.text.contains("-> Date?") && !bodies.text.contains("Foundation.Date"))
    }
}
