import Foundation
import Porting
import Testing

@Suite("Porting overrides in extensions of classes that are elsewhere")
struct ExtensionOverrideTests {
    private static let model = """
        <model documentVersion="1.0"><entity name="Secret" representedClassName="Secret" codeGenerationType="class">
        <attribute name="text" optional="YES" attributeType="String"/></entity></model>
        """
    private static let hooks = """
        import CoreData
        extension Secret {
            public override func awakeFromInsert() {
                super.awakeFromInsert()
            }
        }
        extension Person {
            // A comment.
            override public func willSave() { super.willSave() }
            override func validate(_ a: Int, for b: inout Int) throws -> Bool { true }
            public override var title: String { get { super.title } set { super.title = newValue } }
        }
        extension Stranger {
            override func willSave() {}
        }

        """
    private static let person = "import CoreData\npublic class Person: Base {}\n"

    private func port(_ style: PortingStyle, hooks: String = hooks, person: String = person) throws -> [String: String]
    {
        let files = [
            "Package.swift": """
            // swift-tools-version:5.9
            import PackageDescription
            let package = Package(name: "App", targets: [.target(name: "App")])
            """,
            "Sources/App/Hooks.swift": hooks, "Sources/App/Person.swift": person,
            "Sources/App/Vault.xcdatamodeld/Vault.xcdatamodel/contents": Self.model,
        ]
        return try TemporaryPackage.with(files) { folder in
            let port = try PackagePort(PackageFolder(folder), reference: .folder("/OpenCoreData"), style: style)
            var texts = Dictionary(uniqueKeysWithValues: port.changes.map { ($0.path, $0.after) })
            texts["remarks"] = port.remarks.map { "\($0.line): \($0.message)" }.joined(separator: "\n")
            return texts
        }
    }

    @Test func `for the compiler alone, the member has another name on the same line, and the class an override`()
        throws
    {
        let texts = try port(.overlay)
        let hooks = try #require(texts["Sources/App/Hooks.swift"])
        for line in [
            "    public func awakeFromInsertOfSecret() {", "    public func willSaveOfPerson() { super.willSave() }",
            "    func validateOfPerson(_ a: Int, for b: inout Int) throws -> Bool { true }",
            "    public var titleOfPerson: String { get { super.title } set { super.title = newValue } }",
        ] {
            #expect(hooks.contains("\n\(line)\n"), "\(line)")
        }
        #expect(hooks.split(separator: "\n").count == Self.hooks.split(separator: "\n").count)
        let person = try #require(texts["Sources/App/Person.swift"])
        for line in [
            "public override func willSave() { willSaveOfPerson() }",
            "public override func validate(_ a: Int, for b: inout Int) throws -> Bool { try validateOfPerson(a, for: &b) }",
            "public override var title: String { get { titleOfPerson } set { titleOfPerson = newValue } }",
        ] {
            #expect(person.contains("\n\(line)\n"), "\(line)")
        }
        #expect(person.contains("Person.swift\", line: 2)\n}"))
    }

    @Test func `a class that the package doesn't have is left alone, with a remark`() throws {
        for style in [PortingStyle.overlay, .portable] {
            let texts = try port(style)
            #expect(texts["Sources/App/Hooks.swift"]?.contains("    override func willSave() {}\n") == true)
            #expect(texts["remarks"]?.contains("can't be overridden in an extension") == true)
            #expect(texts["remarks"]?.split(separator: "\n").count == 1)
        }
    }

    @Test func `for people, Apple's platforms have the override in the extension, and Linux in the class`() throws {
        let texts = try port(.portable)
        let hooks = try #require(texts["Sources/App/Hooks.swift"])
        #expect(
            hooks.contains(
                """
                    #if canImport(ObjectiveC)
                    public override func awakeFromInsert() { awakeFromInsertOfSecret() }
                    #endif
                    public func awakeFromInsertOfSecret() {
                        super.awakeFromInsert()
                    }

                """))
        let person = try #require(texts["Sources/App/Person.swift"])
        #expect(
            person.contains(
                """
                public class Person: Base {
                    #if !canImport(ObjectiveC)
                    public override func willSave() { willSaveOfPerson() }

                """))
        let again = try port(.portable, hooks: hooks, person: person)
        #expect(again["Sources/App/Hooks.swift"] == nil)
        #expect(again["Sources/App/Person.swift"] == nil)
    }

    @Test func `what only Apple's platforms compile calls for nothing`() throws {
        let texts = try port(
            .overlay,
            hooks: "import CoreData\n#if os(iOS)\nextension Person {\n    override func willSave() {}\n}\n#endif\n")
        #expect(texts["Sources/App/Person.swift"] == nil)
        let left = try port(
            .overlay,
            hooks:
                "import UIKit\nimport CoreData\nextension Person {\n    override func willSave() { _ = UIView() }\n}\n")
        #expect(left["Sources/App/Person.swift"] == nil)
    }
}
