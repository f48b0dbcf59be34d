import Foundation
import ManagedObjectModel
import TestSupport
import Testing

@Suite("Hostile model files make errors, never crashes")
struct HostileFileTests {
    /// How many damaged files to try: enough to notice a mistake, few enough for every run.
    /// `COREDATA_CORRUPTIONS=10000` tries more.
    private static let count =
        ProcessInfo.processInfo.environment["COREDATA_CORRUPTIONS"].flatMap(Int.init) ?? 400

    @Test("Damaged files are refused, or what they give can be used", .enabled(if: Fixtures.arePresent))
    func damagedFiles() throws {
        let plists = Fixtures.paths(kind: "momd", suffix: "VersionInfo.plist")
        let paths = Fixtures.sourcePaths + Fixtures.oldSourcePaths + Fixtures.compiledPaths + plists
        // Small files have more of their bytes in places that matter, and take less time.
        let originals = try paths.map { try Data(contentsOf: Fixtures.url($0)) }.filter { $0.count < 40_000 }
        try #require(!originals.isEmpty)
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for number in 0..<Self.count {
            let original = originals[Int.random(in: originals.indices, using: &generator)]
            let corruption = Corruption.allCases[number % Corruption.allCases.count]
            let damaged = corruption.apply(to: original, using: &generator)
            do {
                let model = try ModelFile.read(data: damaged)
                // A damaged byte may be one of a name: the model is another one, and has to be usable.
                _ = try ModelDescription.json(of: model)
                _ = try? model.archivedData()
                _ = XMLModelWriter.document(of: model)
                _ = ModelChecks.issues(in: model)
            } catch is ModelFileError {
                refused += 1
            }
            _ = try? VersionInfo(data: damaged)
        }
        #expect(refused > Self.count / 4, "Seed \(seed): only \(refused) of \(Self.count) were refused.")
    }

    private func expectRefusal(
        _ text: String, mentioning word: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: ModelFileError.self, sourceLocation: sourceLocation) {
            try ModelFile.read(data: Data(text.utf8))
        }
        #expect(
            error?.description.contains(word) == true, "\(error?.description ?? "")", sourceLocation: sourceLocation)
    }

    @Test("XML with declared entities is refused")
    func entityBomb() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <model><entity name="&b;"/></model>
            """
        expectRefusal(bomb, mentioning: "entities")
    }

    @Test("External entities are not looked for")
    func externalEntity() {
        let text = """
            <!DOCTYPE model SYSTEM "file:///etc/passwd">
            <model><entity name="&passwd;"/></model>
            """
        expectRefusal(text, mentioning: "passwd")
    }

    @Test("XML that is nested too deep is refused")
    func deepXML() {
        let text = String(repeating: "<model>", count: 10_000) + String(repeating: "</model>", count: 10_000)
        expectRefusal(text, mentioning: "levels deep")
        expectRefusal("<plist>" + String(repeating: "<array>", count: 10_000), mentioning: "levels deep")
    }

    @Test(
        "XML that ends early, or has no quotes or no end tags, is refused with its line",
        arguments: [
            "<model", "<model>\n", "<model a=1/>", "<model a=\"1/>", "<model></mode>", "<model/><model/>",
            "<model>&x;</model>",
            "<model a='1' a='2'/>", "<!-- ", "text", "<model a=\"<\"/>", "<?xml ", "<![CDATA[",
            "<model>&#xD800;</model>",
        ])
    func malformedXML(text: String) {
        expectRefusal(text, mentioning: "line")
    }

    @Test("Cyclic and endless inheritance in XML is refused")
    func cyclicInheritance() {
        expectRefusal("<model><entity name='A' parentEntity='A'/></model>", mentioning: "ancestor")
        expectRefusal(
            "<model><entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/></model>",
            mentioning: "ancestor")
        let chain = (0..<10_000).map { "<entity name='E\($0)' parentEntity='E\($0 + 1)'/>" }.joined()
        expectRefusal("<model>\(chain)<entity name='E10000'/></model>", mentioning: "ancestor")
    }

    @Test("Wide models take time in proportion to their size, and are refused where they unfold too far")
    func wideModels() throws {
        let attributes = (0..<5_000).map { "<attribute name='a\($0)' indexed='YES' attributeType='String'/>" }.joined()
        let relationships = (0..<5_000).map {
            "<relationship name='r\($0)' maxCount='1' destinationEntity='A' inverseName='r\($0)'/>"
        }.joined()
        let wide = "<model><entity name='A'>\(attributes)\(relationships)</entity></model>"
        let start = ContinuousClock.now
        let model = try ModelFile.read(data: Data(wide.utf8))
        _ = XMLModelWriter.document(of: model)
        _ = ModelChecks.issues(in: model)
        if !Sanitizer.isOn { #expect(ContinuousClock.now - start < .seconds(60)) }
        let children = (0..<5_000).map { "<entity name='E\($0)' parentEntity='A'/>" }.joined()
        expectRefusal(
            "<model><entity name='A'>\(attributes)</entity>\(children)</model>", mentioning: "inherit too many")
        let element = "<model \((0..<1_000).map { "a\($0)='1'" }.joined(separator: " "))/>"
        expectRefusal(element, mentioning: "too many attributes")
    }

    @Test("A composite that contains itself is refused")
    func cyclicComposite() {
        let text = """
            <model><entity name="A"><attribute name="c" attributeType="Composite" composite="C"/></entity>
            <composite name="C"><attribute name="d" attributeType="Composite" composite="C"/></composite></model>
            """
        expectRefusal(text, mentioning: "contain themselves")
    }

    @Test("An error names the entity and property")
    func errorLocation() throws {
        let text = """
            <model><entity name="Book"><attribute name="pages" attributeType="Many"/>
            </entity></model>
            """
        expectRefusal(text, mentioning: "entity Book, property pages")
    }

    private func archive(_ objects: [PropertyListNode]) -> Data {
        BinaryPropertyListWriter.write(
            .dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
                "$top": .dictionary(["root": .uid(1)]), "$objects": .array([.string("$null")] + objects),
            ]))
    }

    /// A model whose entities are all called "A", object 5.
    ///
    /// - Parameters:
    ///   - entities: the numbers of their objects.
    ///   - objects: what the archive has from object 6 on; object 4 is the class of dictionaries.
    private func modelArchive(entities: [PropertyListNode] = [.uid(6)], _ objects: [PropertyListNode]) -> Data {
        let names = entities.map { _ in PropertyListNode.uid(5) }
        return archive(
            [
                .dictionary(["$class": .uid(2), "NSEntities": .uid(3)]),
                .dictionary(["$classname": .string("NSManagedObjectModel")]),
                .dictionary(["$class": .uid(4), "NS.keys": .array(names), "NS.objects": .array(entities)]),
                .dictionary(["$classname": .string("NSDictionary")]),
                .string("A"),
            ] + objects)
    }

    @Test("An entity that is its own ancestor in a compiled model is refused")
    func cyclicArchive() {
        let data = modelArchive([
            .dictionary(["$class": .uid(7), "NSEntityName": .uid(5), "NSSuperentity": .uid(6)]),
            .dictionary(["$classname": .string("NSEntityDescription")]),
        ])
        let error = #expect(throws: ModelFileError.self) { try ModelFile.read(data: data) }
        #expect(error?.description.contains("ancestor") == true)
    }

    @Test("Two entities of one name in a compiled model are refused")
    func twoEntitiesOfOneName() {
        let data = modelArchive(
            entities: [.uid(6), .uid(8)],
            [
                .dictionary(["$class": .uid(7), "NSEntityName": .uid(5), "NSSuperentity": .uid(8)]),
                .dictionary(["$classname": .string("NSEntityDescription")]),
                .dictionary(["$class": .uid(7), "NSEntityName": .uid(5)]),
            ])
        let error = #expect(throws: ModelFileError.self) { try ModelFile.read(data: data) }
        #expect(error?.description.contains("twice") == true)
    }

    @Test("Two properties of one name in a compiled model are refused")
    func twoPropertiesOfOneName() {
        let data = modelArchive([
            .dictionary(["$class": .uid(7), "NSEntityName": .uid(5), "NSProperties": .uid(8)]),
            .dictionary(["$classname": .string("NSEntityDescription")]),
            .dictionary([
                "$class": .uid(4), "NS.keys": .array([.uid(9), .uid(9)]), "NS.objects": .array([.uid(10), .uid(12)]),
            ]),
            .string("x"),
            .dictionary(["$class": .uid(11), "NSPropertyName": .uid(9), "NSAttributeType": .integer(100)]),
            .dictionary(["$classname": .string("NSAttributeDescription")]),
            .dictionary(["$class": .uid(11), "NSPropertyName": .uid(9), "NSAttributeType": .integer(700)]),
        ])
        #expect(throws: ModelFileError.self) { try ModelFile.read(data: data) }
    }

    @Test("A note that contains itself, or unfolds without end, is refused")
    func cyclicValue() {
        let data = modelArchive([
            .dictionary(["$class": .uid(7), "NSEntityName": .uid(5), "NSUserInfo": .uid(8)]),
            .dictionary(["$classname": .string("NSEntityDescription")]),
            .dictionary(["$class": .uid(9), "NS.objects": .array(Array(repeating: .uid(8), count: 10))]),
            .dictionary(["$classname": .string("NSArray")]),
        ])
        let error = #expect(throws: ModelFileError.self) { try ModelFile.read(data: data) }
        #expect(error?.description.contains("contains itself") == true)
    }

    @Test("Deeply nested binary property lists are refused")
    func deepPropertyList() {
        var node = PropertyListNode.array([])
        for _ in 0..<1_000 { node = .array([node]) }
        #expect(throws: ModelFileError.self) { try VersionInfo(data: BinaryPropertyListWriter.write(node)) }
    }

    @Test("Missing, empty and foreign files are errors that name the file")
    func foreignFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let empty = folder.appendingPathComponent("Empty.mom")
        try Data().write(to: empty)
        let foreign = folder.appendingPathComponent("Foreign.mom")
        try Data("SQLite format 3\0".utf8).write(to: foreign)
        for url in [empty, foreign, folder, folder.appendingPathComponent("Missing.momd")] {
            let error = #expect(throws: ModelFileError.self) { try ModelFile.read(url) }
            #expect(error?.description.contains(url.lastPathComponent) == true)
            #expect(NSManagedObjectModel(contentsOf: url) == nil)
        }
    }
}
