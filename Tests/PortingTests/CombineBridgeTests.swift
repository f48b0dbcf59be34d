import Foundation
import Testing

@testable import Porting

@Suite("What joins OpenCombine with Core Data") struct CombineBridgeTests {
    private static let manifest = """
        // swift-tools-version:5.9
        import PackageDescription
        let package = Package(name: "App", targets: [.target(name: "App", dependencies: [])])

        """
    private static let watching = """
        import Combine
        import CoreData
        func watch(_ object: NSManagedObject, _ all: inout Set<AnyCancellable>) {
            object.objectWillChange.sink {}.store(in: &all)
        }

        """

    private func files(_ sources: [String: String], _ style: PortingStyle = .overlay) throws -> [String: String] {
        var files = ["Package.swift": Self.manifest]
        for (name, text) in sources { files["Sources/App/\(name)"] = text }
        return try TemporaryPackage.with(files) { folder in
            let port = try PackagePort(try PackageFolder(folder), reference: .folder("/open"), style: style)
            return Dictionary(uniqueKeysWithValues: port.changes.map { ($0.path, $0.after) })
        }
    }

    @Test("comes once for a target, behind what is there", arguments: [PortingStyle.overlay, .portable])
    func once(_ style: PortingStyle) throws {
        let files = try files(["A.swift": Self.watching, "B.swift": Self.watching], style)
        let places = files.filter { $0.value.contains("ManagedObjectPublisher: @retroactive OpenCombine.Publisher") }
        #expect(places.map(\.key) == ["Sources/App/A.swift"])
        let text = try #require(places.first?.value)
        let condition = try #require(text.range(of: "#if !canImport(Combine)"))
        #expect(text[..<condition.lowerBound].contains("object.objectWillChange.sink {}"))
    }

    @Test("comes where a property's publisher is asked for")
    func properties() throws {
        let text =
            "import Combine\nimport CoreData\nlet all: AnyCancellable = x.publisher(for: \\.count).sink { _ in }\n"
        #expect(try files(["A.swift": text])["Sources/App/A.swift"]?.contains("func publisher<Value>") == true)
    }

    @Test("doesn't come where nobody needs it: without such a call, without Core Data, without Combine")
    func needless() throws {
        for text in [
            "import Combine\nimport CoreData\nvar all: Set<AnyCancellable> = []\n",
            "import Combine\nfinal class Model: ObservableObject { func f() { objectWillChange.send() } }\n",
            "import CoreData\nfunc watch(_ o: NSManagedObject) { _ = o.objectWillChange.sink {} }\n",
        ] {
            #expect(try !files(["A.swift": text]).values.contains { $0.contains("retroactive") })
        }
    }
}
