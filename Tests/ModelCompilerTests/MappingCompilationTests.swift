import Foundation
import ManagedObjectModel
import TestSupport
import Testing

@testable import ModelCompiler

@Suite("Compiling a mapping model between two versions of a model")
struct MappingCompilationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A model with these versions, each with an entity `Pet` of these texts.
    private func model(_ versions: [String: [String]], name: String = "Zoo") throws -> URL {
        let model = folder.url.appendingPathComponent("\(name).xcdatamodeld")
        for (version, attributes) in versions {
            let bundle = model.appendingPathComponent("\(version).xcdatamodel")
            try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
            let lines = attributes.map { #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"# }
            let text =
                #"<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Pet">"#
            try Data("\(text)\(lines.joined())</entity></model>".utf8).write(
                to: bundle.appendingPathComponent("contents"))
        }
        let current = ["_XCCurrentVersionName": "Zoo 1.xcdatamodel"]
        try PropertyListEncoder().encode(current).write(to: model.appendingPathComponent(".xccurrentversion"))
        return model
    }

    private func mapping(to destination: String, of attribute: String) throws -> URL {
        func attributes(_ values: [(String, String)]) -> String {
            values.map { #"<attribute name="\#($0)" type="string">\#($1)</attribute>"# }.joined()
        }
        func relationship(_ name: String, _ id: String) -> String {
            #"<relationship name="\#(name)" type="0/0" destination="X" idrefs="\#(id)"></relationship>"#
        }
        let objects = [
            ("XDDEVATTRIBUTEMAPPING", attributes([("name", attribute)])),
            (
                "XDDEVENTITYMAPPING",
                attributes([("sourcename", "Pet"), ("destinationname", "Pet"), ("mappingtypename", "Undefined")])
                    + relationship("attributemappings", "z1")
            ),
            (
                "XDDEVMAPPINGMODEL",
                attributes([
                    ("sourcemodelpath", "App/Zoo.xcdatamodeld/Zoo 1.xcdatamodel"),
                    ("destinationmodelpath", "App/Zoo.xcdatamodeld/\(destination).xcdatamodel"),
                ]) + relationship("entitymappings", "z2")
            ),
        ].enumerated().map { #"<object type="\#($1.0)" id="z\#($0 + 1)">\#($1.1)</object>"# }
        let bundle = folder.url.appendingPathComponent("Map.xcmappingmodel")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let text = #"<?xml version="1.0" standalone="no"?><database>\#(objects.joined())</database>"#
        try Data(text.utf8).write(to: bundle.appendingPathComponent("xcmapping.xml"))
        return bundle
    }

    private func compile(_ mapping: URL, _ models: URL...) throws -> [CompilerDiagnostic] {
        try MappingCompilation.compile(
            mapping, models: models, to: folder.url.appendingPathComponent("Map.cdm"))
    }

    @Test("takes the one that fits for a version that was renamed since, and warns")
    func renamed() throws {
        let model = try model(["Zoo 1": ["name"], "Zoo 2": ["name", "sound"]])
        #expect(try compile(mapping(to: "Zoo 2", of: "sound"), model).isEmpty)
        let expected = try Data(contentsOf: folder.url.appendingPathComponent("Map.cdm"))
        let warnings = try compile(mapping(to: "Zoo 3", of: "sound"), model)
        #expect(warnings.map(\.severity) == [.warning])
        #expect(
            warnings.first?.message.contains("\"Zoo 3\"") == true
                && warnings.first?.message.contains("\"Zoo 2\"") == true)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("Map.cdm")).count == expected.count)
    }

    @Test("takes the version of the model that the path names, where others have versions of that name")
    func sameVersionNames() throws {
        let farm = try model(["Zoo 1": ["fence"], "Zoo 2": ["fence", "gate"]], name: "Farm")
        let zoo = try model(["Zoo 1": ["name"], "Zoo 2": ["name", "sound"]])
        #expect(try compile(mapping(to: "Zoo 2", of: "sound"), zoo).isEmpty)
        let expected = try Data(contentsOf: folder.url.appendingPathComponent("Map.cdm"))
        #expect(try compile(mapping(to: "Zoo 2", of: "sound"), farm, zoo).isEmpty)
        #expect(try Data(contentsOf: folder.url.appendingPathComponent("Map.cdm")).count == expected.count)
    }

    @Test("is an error where none fits, or several do")
    func unknown() throws {
        let two = try model(["Zoo 1": ["name"], "Zoo 2": ["name", "sound"]])
        #expect(throws: CompilerDiagnostic.self) { try compile(mapping(to: "Zoo 9", of: "colour"), two) }
        let three = try model(["Zoo 1": ["name"], "Zoo 2": ["name", "sound"], "Zoo 3": ["sound"]])
        let failure = #expect(throws: CompilerDiagnostic.self) { try compile(mapping(to: "Zoo 9", of: "sound"), three) }
        #expect(failure?.message.contains("Zoo 1, Zoo 2, Zoo 3") == true)
    }
}
