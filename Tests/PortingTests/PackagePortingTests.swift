import Foundation
import Porting
import TestSupport
import Testing

@Suite("Packages that are ported")
struct PackagePortingTests {
    private static let manifest = """
        // swift-tools-version:5.3
        import PackageDescription

        let package = Package(
            name: "App",
            products: [.library(name: "App", targets: ["App"])],
            targets: [
                .target(name: "App", resources: [.process("Model.xcdatamodeld")]),
                .target(name: "Plain"),
                .testTarget(name: "AppTests", dependencies: ["App"]),
            ]
        )
        """

    private static let files = [
        "Package.swift": manifest,
        "Sources/App/Person.swift": "import CoreData\n@objc(Person) class Person: NSManagedObject {}\n",
        "Sources/App/Model.xcdatamodeld/Model.xcdatamodel/contents": "<model/>",
        "Sources/Plain/Plain.swift": "import Foundation\npublic struct Plain {}\n",
        "Tests/AppTests/AppTests.swift": "import CoreData\nlet s = #selector(Person.save)\n",
    ]

    private func port(_ folder: URL, _ style: PortingStyle = .portable) throws -> PackagePort {
        let reference = PackageReference.repository(
            url: "https://example.org/OpenCoreData.git", requirement: "branch: \"main\"")
        return try PackagePort(PackageFolder(folder), reference: reference, style: style)
    }

    @Test(
        "Targets that use Core Data get its product, those with models or bodies to make the plugin, others nothing"
    )
    func manifest() throws {
        try TemporaryPackage.with(Self.files) { folder in
            let port = try port(folder)
            let manifest = try #require(port.changes.first { $0.path == "Package.swift" }?.after)
            let product =
                ".product(name: \"CoreData\", package: \"OpenCoreData\", condition: .when(platforms: [.linux]))"
            #expect(
                manifest == """
                    // swift-tools-version:5.9
                    import PackageDescription

                    let package = Package(
                        name: "App",
                        products: [.library(name: "App", targets: ["App"])],
                        dependencies: [.package(url: "https://example.org/OpenCoreData.git", branch: "main")],
                        targets: [
                            .target(name: "App", dependencies: [\(product)], resources: [.process("Model.xcdatamodeld")], plugins: [.plugin(name: "CoreDataModelPlugin", package: "OpenCoreData")]),
                            .target(name: "Plain"),
                            .testTarget(name: "AppTests", dependencies: ["App", \(product)]),
                        ]
                    )
                    """)
        }
    }

    @Test("Nothing is written before it is asked for, and porting again changes nothing")
    func idempotent() throws {
        try TemporaryPackage.with(Self.files) { folder in
            let first = try port(folder)
            #expect(first.changes.map(\.path).sorted() == ["Package.swift", "Sources/App/Person.swift"])
            for change in first.changes {
                #expect(try String(contentsOf: change.file, encoding: .utf8) == change.before)
            }
            try first.write()
            let second = try port(folder)
            #expect(second.changes.isEmpty)
            #expect(second.diff == "")
            #expect(first.remarks == second.remarks)
            #expect(
                first.remarks.map(\.description).first?.hasPrefix("Tests/AppTests/AppTests.swift:2: ")
                    == true)
        }
    }

    @Test("The diff is one that patch applies")
    func diff() throws {
        try TemporaryPackage.with(Self.files) { folder in
            let port = try port(folder)
            let patch = folder.appendingPathComponent("changes.patch")
            try Data(port.diff.utf8).write(to: patch)
            #expect(try run(["patch", "-p1", "-i", patch.path], in: folder).status == 0)
            for change in port.changes {
                #expect(try String(contentsOf: change.file, encoding: .utf8) == change.after)
            }
        }
    }

    @Test("The compiler sees the ported sources, and tells of the lines of the originals")
    func overlay() throws {
        let files = [
            "Package.swift": Self.manifest,
            "Sources/App/Person.swift": """
            import Foundation
            @objc(Person)
            class Person: NSObject {
                @objc dynamic var name = ""
                static let key: String = #keyPath(Person.name)
                static let wrong: Int = #keyPath(Person.name)
            }
            """,
        ]
        try TemporaryPackage.with(files) { folder in
            let build = try OverlaidBuild(
                command: "build", arguments: ["--package-path", folder.path],
                openCoreData: URL(fileURLWithPath: "/none"))
            let flag = try #require(build.arguments.lastIndex(of: "-vfsoverlay"))
            let overlay = build.arguments[flag + 2]
            let source = folder.appendingPathComponent("Sources/App/Person.swift")
            let check = {
                try run(["swiftc", "-typecheck", "-vfsoverlay", overlay, source.path], in: folder)
            }
            let messages = try check().output
            #expect(messages.contains("\(source.path):6:29: error: "))
            #expect(
                messages.split(separator: "\n").count { $0.contains(" error: ") && $0.hasPrefix("/") } == 1)

            // An edit is picked up by the next run.
            let text = try String(contentsOf: source, encoding: .utf8).replacingOccurrences(
                of: "Int =", with: "String =")
            try Data(text.utf8).write(to: source)
            _ = try OverlaidBuild(
                command: "build", arguments: ["--package-path", folder.path],
                openCoreData: URL(fileURLWithPath: "/none"))
            #expect(try check().output == "")
            #expect(try String(contentsOf: source, encoding: .utf8) == text)
        }
    }

    @Test("Lines that are added end as the others do, and a byte order mark stays")
    func lineEndings() throws {
        var files = Self.files
        files["Sources/App/Person.swift"] =
            "\u{FEFF}import CoreData\r\n@objc(Person)\r\nclass Person: NSManagedObject {}\r\n"
        try TemporaryPackage.with(files) { folder in
            let change = try #require(
                try port(folder).changes.first { $0.path == "Sources/App/Person.swift" })
            #expect(
                change.after
                    == "\u{FEFF}import CoreData\r\n#if canImport(ObjectiveC)\r\n@objc(Person)\r\n#endif\r\n"
                    + "class Person: NSManagedObject {}\r\n")
        }
    }

    @Test(
        "A source that can't be read, or isn't UTF-8, is remarked on and left as it is, and the others are ported"
    )
    func unreadable() throws {
        try TemporaryPackage.with(Self.files) { folder in
            let latin = folder.appendingPathComponent("Sources/App/Latin.swift")
            try Data(Array("@objc class L: NSObject {} // ".utf8) + [0xE9]).write(to: latin)
            try FileManager.default.createSymbolicLink(
                atPath: folder.appendingPathComponent("Sources/App/Gone.swift").path,
                withDestinationPath: "Nowhere")
            let port = try port(folder)
            #expect(
                port.remarks.filter { $0.message.contains("can't be read as UTF-8") }.map(\.file)
                    == ["Sources/App/Gone.swift", "Sources/App/Latin.swift"])
            #expect(
                port.changes.map(\.path).sorted()
                    == ["Package.swift", "Sources/App/Person.swift"])
        }
    }

    private func run(_ arguments: [String], in folder: URL) throws -> (status: Int32, output: String) {
        let run = try ProgramRun("env", arguments, in: folder, mergesErrors: true)
        return (run.exitCode, run.output)
    }
}
