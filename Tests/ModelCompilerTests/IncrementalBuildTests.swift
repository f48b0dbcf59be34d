import Foundation
import ModelCompiler
import Testing

@Suite("What is generated a second time")
struct IncrementalBuildTests {
    private static let source = """
        import CoreData
        class Part: NSManagedObject {
            @NSManaged var name: String?
            func describe() -> String { name ?? "" }
        }
        """

    private func bodies(_ text: String) -> String {
        ManagedBodies(module: "Parts", sources: [.init(path: "Part.swift", text: text)]).text
    }

    @Test("The bodies stay the same, to the letter, where an edit changes no @NSManaged member")
    func edits() {
        let edited = Self.source.replacingOccurrences(of: "?? \"\"", with: "?? \"none\"") + "\n// more\nlet x = 1\n"
        #expect(bodies(edited) == bodies(Self.source))
        #expect(bodies(Self.source.replacingOccurrences(of: "String?\n", with: "String\n")) != bodies(Self.source))
    }

    @Test("The classes stay the same where a model changes in what they don't depend on")
    func models() throws {
        let classes = { text in
            try ModelText.withBundle(text) { model in
                try GeneratedModelClasses(model: model).buildFile().replacingOccurrences(of: model.path, with: "")
            }
        }
        let layout = ModelText.zoo.replacingOccurrences(
            of: "</model>", with: "<elements><element name=\"Animal\" positionX=\"1\"/></elements></model>")
        #expect(try classes(layout) == classes(ModelText.zoo))
        let renamed = ModelText.zoo.replacingOccurrences(of: "name=\"wingspan\"", with: "name=\"span\"")
        #expect(try classes(renamed) != classes(ModelText.zoo))
    }

    @Test("A file that would be the same isn't written, so what depends on it isn't built again")
    func files() throws {
        try SwiftTool.inTemporaryFolder { folder in
            let file = folder.appendingPathComponent("deep/File.swift")
            let time = { try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date }
            try OutputFile.write("let a = 1\n", to: file)
            let long = Date(timeIntervalSinceNow: -3_600)
            try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: file.path)
            let before = try time()
            try OutputFile.write("let a = 1\n", to: file)
            #expect(try time() == before)
            try OutputFile.write("let a = 2\n", to: file)
            #expect(try time() != before)
        }
    }
}
