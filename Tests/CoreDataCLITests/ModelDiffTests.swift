import Foundation
import Testing

@Suite("coredata model diff")
struct ModelDiffTests {
    let library: LibraryStore
    let source = PackageFiles.root.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path

    init() throws {
        library = try LibraryStore()
    }

    /// Writes a model of one entity with those properties, and returns its path.
    private func model(_ name: String, _ properties: String) throws -> String {
        let folder = library.folder.appendingPathComponent("\(name).xcdatamodel")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let xml = "<model><entity name=\"Shelf\">\(properties)</entity></model>"
        try Data(xml.utf8).write(to: folder.appendingPathComponent("contents"))
        return folder.path
    }

    private func lines(_ old: String, _ new: String) throws -> [String] {
        let outcome = try CommandLineTool.run("model", "diff", old, new)
        #expect(outcome.exitCode == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.lines
    }

    @Test("a model and the store made for it are the same")
    func same() throws {
        #expect(try lines(source, library.path) == ["The models are the same."])
    }

    @Test("what lightweight migration can do is listed with a sign for each change")
    func lightweight() throws {
        let old = try model(
            "old",
            "<attribute name='label' optional='YES' attributeType='String'/><attribute name='row' optional='YES' attributeType='Integer 16'/>"
        )
        let new = try model(
            "new",
            "<attribute name='title' optional='YES' attributeType='String' elementID='label'/><attribute name='depth' optional='YES' attributeType='Double'/>"
        )
        #expect(
            try lines(old, new) == [
                "+ Shelf.depth: the property is new", "- Shelf.row: the property is gone, and its values with it",
                "> Shelf.title: the property was called label",
                "A store of the old model can follow by lightweight migration.",
            ])
    }

    @Test("what doesn't matter to stored data leaves stores as they are")
    func compatible() throws {
        let old = try model("old", "<attribute name='row' optional='YES' attributeType='Integer 16'/>")
        let new = try model(
            "new", "<attribute name='row' optional='YES' attributeType='Integer 16' defaultValueString='7'/>")
        #expect(
            try lines(old, new) == [
                "~ Shelf.row: its default value changed", "A store of the old model opens with the new one as it is.",
            ])
    }

    @Test("what lightweight migration can't do is told with the reason")
    func obstacles() throws {
        let old = try model("old", "<attribute name='row' optional='YES' attributeType='Integer 16'/>")
        let new = try model("new", "<attribute name='row' optional='YES' attributeType='String'/>")
        #expect(
            try lines(old, new).suffix(2) == [
                "A store of the old model needs a mapping model; lightweight migration can't follow:",
                "  Shelf.row: its type was Integer 16 and is String, and values do not change their type by themselves",
            ])
    }
}
