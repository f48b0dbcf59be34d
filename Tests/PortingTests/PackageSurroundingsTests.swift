import Foundation
import Porting
import Testing

@Suite("What the rest of a package says about a source")
struct PackageSurroundingsTests {
    private func port(_ files: [String: String], _ style: PortingStyle = .overlay) throws -> PackagePort {
        try TemporaryPackage.with(files) { folder in
            try PackagePort(PackageFolder(folder), reference: .folder("/open/OpenCoreData"), style: style)
        }
    }

    private func manifest(_ targets: String, dependencies: String = "") -> String {
        """
        // swift-tools-version:5.9
        import PackageDescription
        let package = Package(name: "App", dependencies: [\(dependencies)], targets: [\(targets)])
        """
    }

    @Test("A target of the package's own that is called Combine, os or UIKit is taken for what it is")
    func ownModules() throws {
        let source = """
            import Combine
            import CoreData
            import UIKit
            import os
            #if canImport(UIKit)
            @objc class View: UIView {}
            #endif
            let log = Logger(subsystem: "a", category: "b")
            let all: Set<AnyCancellable> = []
            """
        let targets = ["Combine", "UIKit", "os"]
        var files = [
            "Package.swift": manifest(
                (targets.map { ".target(name: \"\($0)\")" } + [".target(name: \"App\", dependencies: [\"Combine\"])"])
                    .joined(separator: ", ")),
            "Sources/App/View.swift": source,
        ]
        for target in targets { files["Sources/\(target)/A.swift"] = "public struct A {}\n" }
        let port = try port(files)
        let after = try #require(port.changes.first { $0.path.hasSuffix("View.swift") }?.after)
        for module in targets { #expect(after.contains("import \(module)\n")) }
        #expect(after.contains(" class View: UIView {}") && !after.contains("@objc"))
        #expect(port.remarks.isEmpty && port.leftOutCount == 0)
        let manifest = try #require(port.changes.first { $0.path == "Package.swift" }?.after)
        #expect(!manifest.contains("UnifiedLogging") && !manifest.contains("OpenCombine"))
    }

    @Test("A target that uses Core Data gets the plugin where it adds members with @objc to another module's class")
    func extendedClasses() throws {
        let member = "extension Person { @objc var decade: String { \"\" } }\n"
        let port = try port(
            [
                "Package.swift": manifest(".target(name: \"App\"), .target(name: \"Tool\")"),
                "Sources/App/A.swift": "import CoreData\n" + member, "Sources/Tool/A.swift": "import Kit\n" + member,
            ], .portable)
        let manifest = try #require(port.changes.first { $0.path == "Package.swift" }?.after)
        #expect(manifest.components(separatedBy: "CoreDataModelPlugin").count == 2)
    }

    @Test("A module of a package in a folder that is depended on counts as well")
    func localDependency() throws {
        let files = [
            "App/Package.swift": manifest(".target(name: \"App\")", dependencies: ".package(path: \"../Kit\")"),
            "App/Sources/App/A.swift": "import CoreData\nimport UIKit\nclass A: UIView {}\n",
            "Kit/Package.swift": manifest(".target(name: \"UIKit\")"),
        ]
        try TemporaryPackage.with(files) { folder in
            let package = try PackageFolder(folder.appendingPathComponent("App"))
            let port = try PackagePort(package, reference: .folder("/open"), style: .overlay)
            #expect(port.leftOutCount == 0)
        }
    }

    @Test("A target that logs by os gets UnifiedLogging, one that uses Combine gets OpenCombine")
    func offeredModules() throws {
        let files = [
            "Package.swift": manifest(".target(name: \"App\", dependencies: [])"),
            "Sources/App/Log.swift": "import os.log\nlet log = OSLog(subsystem: \"a\", category: \"b\")\n",
            "Sources/App/Stream.swift": "import Combine\nvar all: Set<AnyCancellable> = []\n",
        ]
        let overlaid = try port(files)
        let changes = Dictionary(uniqueKeysWithValues: overlaid.changes.map { ($0.path, $0.after) })
        #expect(changes["Sources/App/Log.swift"]?.hasPrefix("import UnifiedLogging\n") == true)
        #expect(
            changes["Sources/App/Stream.swift"]?.hasPrefix(
                "import OpenCombine; import OpenCombineDispatch; import OpenCombineFoundation\n") == true)
        let manifest = try #require(changes["Package.swift"])
        #expect(
            manifest.contains("dependencies: [.product(name: \"OpenCombine\", package: \"OpenCombine\", condition:"))
        #expect(manifest.contains(".product(name: \"UnifiedLogging\", package: \"OpenCoreData\", condition:"))
        #expect(manifest.contains("https://github.com/OpenCombine/OpenCombine.git"))
        #expect(overlaid.remarks.isEmpty)

        let portable = try port(files, .portable)
        #expect(
            portable.changes.first { $0.path.hasSuffix("Stream.swift") }?.after.hasPrefix(
                "#if canImport(Combine)\nimport Combine\n#else\nimport OpenCombine\n") == true)
    }

    @Test("A model in a package whose tools version is too old for it is remarked on where the manifest stays as it is")
    func oldTools() throws {
        let files = { (version: String) in
            [
                "Package.swift": "// swift-tools-version:\(version)\nimport PackageDescription\n"
                    + "let package = Package(name: \"App\", targets: [.target(name: \"App\")])\n",
                "Sources/App/A.swift": "import CoreData\n",
                "Sources/App/M.xcdatamodeld/M.xcdatamodel/contents": "<model/>",
            ]
        }
        #expect(try port(files("5.5")).remarks.map(\.line) == [1])
        #expect(try port(files("5.7")).remarks.isEmpty)
        #expect(try port(files("5.5"), .portable).remarks.isEmpty)
    }

    @Test("What a target excludes is left alone, and of one that lists its sources only those are read")
    func excludedFiles() throws {
        let files = [
            "Package.swift": manifest(
                ".target(name: \"App\", path: \".\", exclude: [\"Code/Old\"], sources: [\"Code\", \"My Model/A.swift\"])"
            ),
            "Code/A.swift": "import CoreData\n@objc class A: NSObject {}\n",
            "Code/Old/B.swift": "import CoreData\n@objc class B: NSObject {}\n",
            "Other/C.swift": "import CoreData\n@objc class C: NSObject {}\n",
            "My Model/A.swift": "@objc class D: NSObject {}\n",
            "Other/Model.xcdatamodeld/Model.xcdatamodel/contents": "<model/>",
        ]
        let port = try port(files)
        #expect(port.changes.map(\.path).sorted() == ["Code/A.swift", "My Model/A.swift", "Package.swift"])
        #expect(port.changes.first { $0.path == "Package.swift" }?.after.contains("plugin") == false)
    }

    @Test("An observer whose method is in another file of the target becomes a closure, and is given what it takes")
    func observersElsewhere() throws {
        let files = [
            "Package.swift": manifest(".target(name: \"App\")"),
            "Sources/App/A.swift": """
            import CoreData
            extension Stack {
                func start() { center.addObserver(self, selector: #selector(saved), name: name, object: nil) }
            }
            """,
            "Sources/App/B.swift": "class Stack { @objc func saved(_ note: NSNotification) {} }\n",
        ]
        let after = try #require(try port(files).changes.first { $0.path.hasSuffix("A.swift") }?.after)
        #expect(
            after.contains(
                "{ $0.saved(NSNotification(name: $1.name, object: $1.object, userInfo: $1.userInfo)) }"))
    }
}
