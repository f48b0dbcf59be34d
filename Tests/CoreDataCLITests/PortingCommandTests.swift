import Foundation
import Testing

@Suite("coredata generate and port")
struct PortingCommandTests {
    private let model = PackageFiles.root.appendingPathComponent(
        "Examples/Journal/Sources/Journal/Journal.xcdatamodeld"
    ).path

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func text(_ folder: URL, _ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    @Test("generate writes both files of each entity, later leaves the class alone and writes the properties anew")
    func generate() throws {
        try withFolder { folder in
            let first = try CommandLineTool.run("generate", model, "-o", folder.path)
            #expect(first.exitCode == 0, "\(first.errors)")
            #expect(
                try text(folder, "JournalTag+CoreDataClass.swift").contains(
                    "public class JournalTag: NSManagedObject {"))
            let properties = try text(folder, "JournalTag+CoreDataProperties.swift")
            #expect(properties.contains("@NSManaged public var"))
            for name in ["JournalTag+CoreDataClass.swift", "JournalTag+CoreDataProperties.swift"] {
                try Data("// By hand.\n".utf8).write(to: folder.appendingPathComponent(name))
            }
            let second = try CommandLineTool.run("generate", model, "-o", folder.path)
            #expect(second.lines.contains("kept     JournalTag+CoreDataClass.swift"))
            #expect(try text(folder, "JournalTag+CoreDataClass.swift") == "// By hand.\n")
            #expect(try text(folder, "JournalTag+CoreDataProperties.swift") == properties)
        }
    }

    @Test("generate takes the entities that are named, warns of what the build generates too, and knows no others")
    func entities() throws {
        try withFolder { folder in
            let entry = try CommandLineTool.run("generate", model, "-o", folder.path, "--entity", "Entry")
            #expect(entry.exitCode == 0)
            #expect(entry.errors.contains("entity Entry: the build generates this class too"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
            let unknown = try CommandLineTool.run("generate", model, "-o", folder.path, "--entity", "Entri")
            #expect(unknown.exitCode == 1)
            #expect(unknown.errors.contains("Did you mean Entry?"))
        }
    }

    @Test("port prints a diff and what needs a hand; with --dry-run it changes nothing")
    func port() throws {
        try withFolder { folder in
            let sources = folder.appendingPathComponent("Sources/App")
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            let manifest = """
                // swift-tools-version:5.9
                import PackageDescription
                let package = Package(name: "App", targets: [.target(name: "App")])

                """
            let source = "import CoreData\n@objc(Pet) class Pet: NSManagedObject {}\nlet s = #selector(Pet.save)\n"
            try Data(manifest.utf8).write(to: folder.appendingPathComponent("Package.swift"))
            try Data(source.utf8).write(to: sources.appendingPathComponent("Pet.swift"))
            let url = "https://example.org/OpenCoreData"

            let dry = try CommandLineTool.run("port", folder.path, "--package", url, "--dry-run")
            #expect(dry.exitCode == 0)
            #expect(try text(sources, "Pet.swift") == source)
            let branch = try CommandLineTool.run("port", folder.path, "--package", url, "--branch", "main", "--dry-run")
            #expect(branch.output.contains(".package(url: \"\(url)\", branch: \"main\")"))
            let done = try CommandLineTool.run("port", folder.path, "--package", url)
            #expect(done.output == dry.output)
            #expect(done.output.contains("+#if canImport(ObjectiveC)\n"))
            #expect(done.errors.contains("Sources/App/Pet.swift:6: #selector"))
            let version = try CommandLineTool.run("--version").output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect(try text(folder, "Package.swift").contains(".package(url: \"\(url)\", from: \"\(version)\")"))
            let again = try CommandLineTool.run("port", folder.path, "--package", url)
            #expect(again.output == "")
            #expect(done.errors.hasSuffix("\n2 files changed, 0 left out on Linux, 1 line to look at by hand.\n"))
        }
    }

    @Test("A folder without a manifest is an error that says what to do")
    func noManifest() throws {
        try withFolder { folder in
            for command in [["port", folder.path], ["swift", "build", "--package-path", folder.path]] {
                let outcome = try CommandLineTool.run(command)
                #expect(outcome.exitCode == 1)
                #expect(outcome.errors.contains("has no Package.swift"))
            }
        }
    }
}
