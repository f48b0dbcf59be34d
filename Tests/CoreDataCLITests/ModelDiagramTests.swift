import CoreData
import Foundation
import Testing

@testable import CoreDataCLI

@Suite("coredata model diagram")
struct ModelDiagramTests {
    private struct Span: Hashable {
        let place: Int
        let from: Int
        let to: Int
        let net: Int

        func overlaps(_ other: Span) -> Bool {
            place == other.place && net != other.net && from < other.to && other.from < to
        }
    }

    /// Complains about whatever would make a person misread the drawing.
    private func check(_ model: NSManagedObjectModel, _ comment: String) {
        let graph = DiagramGraph(model)
        let drawing = DiagramDrawing(graph)
        #expect(drawing.boxes.count == model.entities.count, "\(comment)")
        for (number, first) in drawing.boxes.enumerated() {
            for second in drawing.boxes.dropFirst(number + 1) {
                let apart =
                    first.x + first.box.width < second.x || second.x + second.box.width < first.x
                    || first.y + first.box.height < second.y || second.y + second.box.height < first.y
                #expect(apart, "\(comment): \(first.box.title) and \(second.box.title) overlap")
            }
        }
        var stems: [Span] = []
        var arms: [Span] = []
        for line in drawing.lines {
            let heights = line.ends.map(\.y)
            stems.append(Span(place: line.track, from: heights.min() ?? 0, to: heights.max() ?? 0, net: line.net))
            for end in line.ends {
                arms.append(
                    Span(place: end.y, from: min(line.track, end.x), to: max(line.track, end.x), net: line.net))
            }
        }
        for box in drawing.boxes {
            let isCrossed = stems.contains { stem in
                box.x < stem.place && stem.place < box.x + box.box.width && stem.from < box.y + box.box.height
                    && box.y < stem.to
            }
            let isStruck = arms.contains { arm in
                box.y < arm.place && arm.place < box.y + box.box.height && arm.from < box.x + box.box.width
                    && box.x < arm.to
            }
            #expect(!isCrossed && !isStruck, "\(comment): a line goes through \(box.box.title)")
        }
        // Lines into the same head of a box may join; all others stay apart.
        let entries = Set(graph.nets.indices.filter { graph.nets[$0].leaves.first?.offset == DiagramBox.entryOffset })
        for (kind, spans) in [("stems", stems), ("arms", arms.filter { !entries.contains($0.net) })] {
            for members in Dictionary(grouping: spans, by: \.place).values {
                let sorted = members.sorted { $0.from < $1.from }
                for (first, second) in zip(sorted, sorted.dropFirst()) {
                    #expect(!first.overlaps(second), "\(comment): two \(kind) lie on one another")
                }
            }
        }
        let terminals = graph.nets.reduce(0) { $0 + Set($1.terminals).count }
        #expect(drawing.ends.count >= terminals, "\(comment): a line doesn't reach its box")
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

    @Test("no boxes overlap, no line goes through a box, and no two lines lie on one another: random models")
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

    @Test("the picture is XML that shows every entity, attribute and relationship with count and delete rule")
    func picture() throws {
        let library = try LibraryStore()
        let path = library.folder.appendingPathComponent("Library.svg").path
        let outcome = try CommandLineTool.run("model", "diagram", library.path, "-o", path)
        #expect(outcome.exitCode == 0 && outcome.output.isEmpty && outcome.errors.isEmpty)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for shown in [
            ">AudioBook<", ">is a Book<", ">title<", ">String<", ">loans<", "Loan 0…∗ ordered, cascade<",
            ">Library.sqlite<",
        ] {
            #expect(text.contains(shown), "\(shown)")
        }
    }

    @Test("a picture that can't be written is an error that names it")
    func unwritable() throws {
        let library = try LibraryStore()
        let path = library.folder.appendingPathComponent("missing/Library.svg").path
        let outcome = try CommandLineTool.run("model", "diagram", library.path, "-o", path)
        #expect(outcome.exitCode == 1 && outcome.errors.contains(path), "\(outcome.errors)")
    }

    @Test("names that mean something in XML are escaped")
    func escaping() {
        let entity = NSEntityDescription()
        entity.name = "<a href=\"&amp;\">\u{1}"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let text = DiagramSVG(DiagramGraph(model), title: "<script>").text
        #expect(text.contains("&lt;a href=\"&amp;amp;\"&gt;\u{FFFD}") && !text.contains("<script>"))
    }
}
