import Foundation
import Porting
import Testing

@Suite("Manifests that compute what they declare")
struct ComputedManifestTests {
    private static let head = "// swift-tools-version:5.9\nimport PackageDescription\n"
    private static let source = "import CoreData\nclass Pet: NSManagedObject { @NSManaged var name: String }\n"
    private static let reference = PackageReference.folder("/open/OpenCoreData")

    /// The manifest after porting, where it changes, and what was remarked; ported twice, the second time to the same.
    private func port(
        _ manifest: String, sources: [String] = ["Sources/App/Pet.swift"]
    ) throws -> (text: String?, remarks: [PortingRemark]) {
        var files = ["Package.swift": Self.head + manifest]
        for source in sources { files[source] = Self.source }
        return try TemporaryPackage.with(files) { folder in
            let port = try PackagePort(PackageFolder(folder), reference: Self.reference, style: .portable)
            try port.write()
            let second = try PackagePort(PackageFolder(folder), reference: Self.reference, style: .portable)
            #expect(second.changes.isEmpty)
            return (port.changes.first { $0.path == "Package.swift" }?.after, port.remarks)
        }
    }

    @Test(
        "Targets that a function, a loop or a constant makes get their dependency and plugin at the manifest's end",
        arguments: [
            "func module(_ name: String) -> Target { .target(name: name) }\n"
                + "let package = Package(name: \"P\", targets: [module(\"App\")])\n",
            "let all = Package(name: \"P\", targets: [\"App\"].map { .target(name: $0, dependencies: []) })",
            "let name = \"App\"\nlet package = Package(name: \"P\", targets: [.target(name: name, dependencies: [])])\n",
        ])
    func computedTargets(manifest: String) throws {
        let (text, remarks) = try port(manifest)
        let after = try #require(text)
        let variable = manifest.contains("let all") ? "all" : "package"
        #expect(remarks.isEmpty)
        #expect(after.hasPrefix(Self.head))
        #expect(
            after.contains(
                "\nfor target in \(variable).targets where target.name == \"App\" { target.dependencies = "
                    + "target.dependencies + [.product(name: \"CoreData\", package: \"OpenCoreData\", "
                    + "condition: .when(platforms: [.linux]))] }\n"))
        #expect(
            after.contains(
                "\nfor target in \(variable).targets where target.name == \"App\" { target.plugins = "
                    + "(target.plugins ?? []) + [.plugin(name: \"CoreDataModelPlugin\", package: \"OpenCoreData\")] }\n"
            ))
        #expect(after.contains(".package(name: \"OpenCoreData\", path: \"/open/OpenCoreData\")"))
    }

    @Test("Lists that are computed are added to by a statement")
    func computedLists() throws {
        let (text, remarks) = try port(
            """
            let shared: [Target.Dependency] = []
            let others: [Package.Dependency] = []
            let package = Package(
                name: "P", dependencies: others + [], targets: [.target(name: "App", dependencies: shared + [])])

            """)
        let after = try #require(text)
        #expect(remarks.isEmpty)
        #expect(after.contains("package.dependencies += [.package(name: \"OpenCoreData\""))
        #expect(after.contains("{ target.dependencies = target.dependencies + [.product(name: \"CoreData\""))
        #expect(after.contains("plugins: [.plugin(name: \"CoreDataModelPlugin\", package: \"OpenCoreData\")]"))
    }

    @Test("The folder of a target may be computed")
    func computedPath() throws {
        let (text, _) = try port(
            """
            let base = "Code"
            let package = Package(name: "P", targets: [.target(name: "App", path: base + "/Model")])

            """, sources: ["Code/Model/Pet.swift"])
        #expect(text?.contains("path: base + \"/Model\", plugins: [.plugin(") == true)
    }

    @Test("A dependency that the manifest keeps in a constant is no target")
    func dependencyConstant() throws {
        let (text, _) = try port(
            """
            extension Target.Dependency { static let core = Target.Dependency.target(name: "App") }
            let app: Target.Dependency = .target(name: "App")
            let package = Package(
                name: "P", targets: [.target(name: "App"), .testTarget(name: "AppTests", dependencies: [app])])

            """)
        let after = try #require(text)
        #expect(
            after.contains(
                "Target.Dependency.target(name: \"App\") }\nlet app: Target.Dependency = .target(name: \"App\")\n"))
    }

    @Test("A manifest that can't be run is told, with the reason")
    func brokenManifest() throws {
        let (text, remarks) = try port(
            "let package = Package(name: \"P\", targets: [.target(name: missing)])\n")
        #expect(text == nil)
        #expect(remarks.contains { $0.message.contains("cannot find 'missing' in scope") }, "\(remarks)")
    }
}
