import Foundation
import ModelCompiler
import Testing

@Suite("Values of @NSManaged members")
struct RoundTripTests {
    /// How many members the program has. The test builds and links it, and so runs only where a number is given.
    private static let declarations =
        ProcessInfo.processInfo.environment["COREDATA_DECLARATIONS"].flatMap { Int($0) } ?? 0

    @Test(
        "A program with members of every shape links, and each keeps its value over a save",
        .enabled(if: SwiftTool.modules != nil && RoundTripTests.declarations > 0), arguments: [11])
    func roundTrip(seed: UInt64) throws {
        var generator = RoundTripGenerator(seed: seed)
        let program = generator.program(declarations: Self.declarations)
        let library = SourceText(path: "Shapes.swift", text: RoundTripGenerator.library)
        let libraryBodies = ManagedBodies(module: "Shapes", sources: [library])
        let bodies = ManagedBodies(
            module: "Program", sources: [.init(path: "main.swift", text: program)], dependencies: ["Shapes": [library]])
        #expect((libraryBodies.diagnostics + bodies.diagnostics).isEmpty, "seed \(seed)")
        let output = try SwiftTool.run(
            ["main.swift": program, "Bodies.swift": bodies.text], module: "Program",
            library: ["Shapes.swift": library.text, "Bodies.swift": libraryBodies.text], named: "Shapes")
        #expect(!output.contains("lost:"), "seed \(seed): \(output)")
        let tried = output.split(separator: "\n").last?.split(separator: " ").last.flatMap { Int($0) }
        #expect((tried ?? 0) >= min(Self.declarations, 200), "seed \(seed): \(output)")
    }
}
