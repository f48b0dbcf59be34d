import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataCLI

@Suite("coredata model diagram")
struct ModelDiagramTests {
    private static let dot = ["/usr/bin/dot", "/usr/local/bin/dot"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Each entity is one box, and each relationship at one end of one line.
    private func check(_ model: NSManagedObjectModel, _ comment: String) {
        let diagram = ModelDiagram(model)
        #expect(diagram.boxes.map(\.name) == model.entitiesByName.keys.sorted(), "\(comment)")
        var ends: [String] = []
        for link in diagram.links {
            guard case .relationship(let end, let inverse) = link.kind else { continue }
            ends.append("\(diagram.boxes[link.from].name).\(diagram.boxes[link.from].lines[end.line].name)")
            if let inverse {
                ends.append("\(diagram.boxes[link.to].name).\(diagram.boxes[link.to].lines[inverse.line].name)")
            }
        }
        let relationships = model.entities.flatMap { entity in
            entity.properties.filter {
                $0.entity === entity && ($0 as? NSRelationshipDescription)?.destinationEntity != nil
            }
            .map { "\(entity.name ?? "").\($0.name)" }
        }
        #expect(ends.sorted() == relationships.sorted(), "\(comment)")
        let inherited = diagram.links.filter { if case .inheritance = $0.kind { true } else { false } }
        #expect(inherited.count == model.entities.filter { $0.superentity != nil }.count, "\(comment)")
    }

    /// What Graphviz makes of a text: its complaints, and the picture.
    private func draw(_ text: String) throws -> ProgramRun {
        try ProgramRun(try #require(Self.dot), ["-Tsvg"], input: text)
    }

    private func randomModel(_ generator: inout SeededGenerator) -> NSManagedObjectModel {
        let count = Int.random(in: 1...40, using: &generator)
        let entities = (0..<count).map { number in
            let entity = NSEntityDescription()
            entity.name = "Entity\(number)"
            entity.properties = (0..<Int.random(in: 0...12, using: &generator)).map { column in
                let attribute = NSAttributeDescription()
                attribute.name = "attribute\(column)"
                attribute.attributeType = .stringAttributeType
                return attribute
            }
            return entity
        }
        for number in 0..<Int.random(in: 0...(2 * count), using: &generator) {
            let (source, target) = (
                entities.randomElement(using: &generator) ?? entities[0],
                entities.randomElement(using: &generator) ?? entities[0]
            )
            let forward = NSRelationshipDescription()
            forward.name = "to\(number)"
            forward.destinationEntity = target
            forward.maxCount = Int.random(in: 0...1, using: &generator)
            forward.deleteRule = NSDeleteRule(rawValue: UInt.random(in: 0...3, using: &generator)) ?? .nullifyDeleteRule
            source.properties += [forward]
            guard Bool.random(using: &generator) else { continue }
            let back = NSRelationshipDescription()
            back.name = "from\(number)"
            back.destinationEntity = source
            target.properties += [back]
            (forward.inverseRelationship, back.inverseRelationship) = (back, forward)
        }
        for (number, entity) in entities.enumerated() where number > 0 && Int.random(in: 0..<3, using: &generator) == 0
        {
            entities[Int.random(in: 0..<number, using: &generator)].subentities += [entity]
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    @Test("every entity is a box and every relationship the end of a line: random models")
    func randomModels() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<60 { check(randomModel(&generator), "seed \(seed)") }
    }

    @Test("the same holds for the models of Apple's stores", .enabled(if: FixtureStores.arePresent))
    func fixtures() throws {
        var count = 0
        for path in FixtureStores.paths {
            let url = FixtureStores.folder.appendingPathComponent(path)
            guard let model = try? NSPersistentStoreCoordinator.cachedModel(forStoreAt: url) else { continue }
            check(model, path)
            count += 1
        }
        #expect(count > 20)
    }

    @Test("Graphviz draws random models without a complaint", .enabled(if: dot != nil))
    func graphviz() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<5 {
            let model = randomModel(&generator)
            let drawn = try draw(GraphvizDiagram(ModelDiagram(model), title: "a \"b\" \\").text)
            #expect(drawn.succeeded && drawn.errors.isEmpty, "seed \(seed): \(drawn.errors)")
            for name in model.entitiesByName.keys { #expect(drawn.output.contains(">\(name)<"), "seed \(seed)") }
        }
    }

    @Test(
        "the text shows every entity, attribute and relationship with count and delete rule",
        arguments: ["mermaid", "dot"])
    func text(format: String) throws {
        let library = try LibraryStore()
        let outcome = try CommandLineTool.run("model", "diagram", library.path, "--format", format)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty)
        let shown =
            format == "dot"
            ? [
                ">AudioBook<", ">title: String", "loans</i>: Loan 0..* ordered, cascade<", "Library.sqlite",
                "arrowhead=onormal",
            ]
            : ["[\"AudioBook\"]", "title · String", "loans · Loan 0..* ordered, cascade", "Library.sqlite", "<|--"]
        for text in shown { #expect(outcome.output.contains(text), "\(text): \(outcome.output)") }
    }

    @Test("a file that can't be written is an error that names it")
    func unwritable() throws {
        let library = try LibraryStore()
        let path = library.folder.appendingPathComponent("missing/Library.mmd").path
        let outcome = try CommandLineTool.run("model", "diagram", library.path, "-o", path)
        #expect(outcome.exitCode == 1 && outcome.errors.contains(path), "\(outcome.errors)")
    }

    @Test("names that mean something in the language are escaped")
    func escaping() throws {
        let entity = NSEntityDescription()
        entity.name = "<a href=\"&amp;\">;\u{1}"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let diagram = ModelDiagram(model)
        let mermaid = MermaidDiagram(diagram, title: "<script>").text
        #expect(mermaid.contains("[\"#60;a href=#34;&amp#59;#34;#62;#59;\u{FFFD}\"]") && !mermaid.contains("<script>"))
        let dot = GraphvizDiagram(diagram, title: "\"]; node [").text
        #expect(
            dot.contains("&lt;a href=&quot;&amp;amp;&quot;&gt;;\u{FFFD}") && dot.contains("label=\"\\\"]; node [\""))
    }
}
