import Foundation
import ModelCompiler
import Testing

@Suite("Symbols of @NSManaged members")
struct ManglingTests {
    @Test(
        "The bodies of 500 generated members define exactly the symbols that the compiler asks for", arguments: [1, 2])
    func generated(seed: UInt64) throws {
        var generator = DeclarationGenerator(seed: seed)
        let module = seed == 1 ? "UnitPrices" : "M"
        let source = generator.source(count: 250, importsCoreData: false)
        let bodies = ManagedBodies(module: module, sources: [.init(path: "folder/Made up.swift", text: source)])
        let unexpected = bodies.diagnostics.filter { !$0.message.contains("is private; make it internal") }
        #expect(unexpected.isEmpty, "seed \(seed)")
        let asked = try SwiftTool.undefinedSymbols(of: ["Made up.swift": source], module: module)
            .filter { $0.hasPrefix("$s\(module.count)\(module)") }
        let made = Set(bodies.symbols)
        #expect(asked.subtracting(made).isEmpty, "seed \(seed)")
        #expect(made.subtracting(asked).isEmpty, "seed \(seed)")
        #expect(made.count > 350)
    }

    @Test("The bodies of generated members compile", .enabled(if: SwiftTool.modules != nil), arguments: [3])
    func compiling(seed: UInt64) throws {
        var generator = DeclarationGenerator(seed: seed)
        let source = generator.source(count: 200, importsCoreData: true)
        let bodies = ManagedBodies(module: "Prices", sources: [.init(path: "Prices.swift", text: source)])
        let messages = try SwiftTool.typecheck(["Prices.swift": source, "Bodies.swift": bodies.text], module: "Prices")
        #expect(!messages.contains("Bodies.swift:"), "seed \(seed): \(messages)")
        #expect(bodies.symbols.count > 250)
    }
}
