import ModelCompiler
import Testing

@Suite("Members that no body can be made for")
struct UnsupportedMemberTests {
    @Test(
        "are errors at their line, which say what to do",
        arguments: [
            ("@NSManaged var shape: Shape", "the type Shape is not declared"),
            ("@NSManaged var done: (() -> Void)?", "of a kind that @NSManaged can't have"),
            ("@NSManaged var kinds: [Kind]", "is private; make it internal"),
            ("@NSManaged func publish()", "none of those that Core Data makes"),
            ("@NSManaged func addToParts(_ value: NSManagedObject) async", "can't be generic, async or throwing"),
            ("@NSManaged var untyped = 1", "needs a type"),
            ("@NSManaged var held: BoxOfInt.Held?", "the type BoxOfInt.Held is of a kind"),
        ])
    func unsupported(member: String, message: String) throws {
        let text = """
            import CoreData
            private enum Kind: Int16 { case small }
            class Part: NSManagedObject {
                \(member)
            }
            class Box<T> { class Held: NSObject {} }
            typealias BoxOfInt = Box<Int>
            """
        let bodies = ManagedBodies(module: "Parts", sources: [.init(path: "/folder/Part.swift", text: text)])
        let diagnostic = try #require(bodies.diagnostics.first)
        #expect(bodies.diagnostics.count == 1)
        #expect(diagnostic.description.hasPrefix("/folder/Part.swift:4:"))
        #expect(diagnostic.description.contains(": error: "))
        #expect(diagnostic.message.contains(message))
    }

    @Test("A class that isn't one of managed objects may have them: it compiles, and they stop the program")
    func ordinaryObjects() throws {
        let source =
            "import CoreData\nclass Note: NSObject { @NSManaged var title: String?; @NSManaged var count: Int }\n"
        let bodies = ManagedBodies(module: "Notes", sources: [.init(path: "Note.swift", text: source)])
        #expect(bodies.diagnostics.isEmpty)
        #expect(bodies.text.contains("{ fatalError(\"title: Note doesn't inherit from NSManagedObject\") }"))
        #expect(!bodies.text.contains("stringValue"))
        if SwiftTool.modules != nil {
            #expect(
                try SwiftTool.typecheck(["Bodies.swift": bodies.text, "Note.swift": source], module: "Notes") == "")
        }
    }

    @Test(
        "A type of another module is found however it is declared, and not where it is only used",
        arguments: [
            "public enum Kind: Int16 { case a }", "enum\n  Kind : Int16 { case a }",
            "/* enum A */enum Kind:Int16{case a}",
            "enum `Kind`: Int16 { case a }",
        ])
    func dependencies(declaration: String) {
        let user = SourceText(path: "User.swift", text: "func use(_ kind: Kind) {}\nsubclass Kind }}} {")
        let bodies = ManagedBodies(
            module: "App",
            sources: [
                .init(
                    path: "P.swift",
                    text: "import CoreData\nimport Kinds\nclass Pet: NSManagedObject { @NSManaged var kind: Kind }")
            ], dependencies: ["Kinds": [user, .init(path: "Kind.swift", text: declaration)]])
        #expect(bodies.diagnostics.isEmpty, "\(bodies.diagnostics)")
        #expect(bodies.symbols.contains("$s3App3PetC4kind5Kinds4KindOvg"), "\(bodies.symbols)")
    }

    @Test("The key in @objc(key) is a property's key, also where the porting tool has left it as a comment")
    func objectiveCKeys() {
        for attribute in [
            "@NSManaged @objc(status)", "@objc(status) @NSManaged", "@NSManaged /*@status  */",
            "/*@status  */ @NSManaged",
        ] {
            let text =
                "import CoreData\nclass Issue: NSManagedObject {\n  \(attribute) private(set) var statusValue: String?\n}"
            let bodies = ManagedBodies(module: "Issues", sources: [.init(path: "Issue.swift", text: text)])
            #expect(bodies.diagnostics.isEmpty)
            #expect(bodies.text.contains("ManagedPropertyKey(\"status\")"), "\(bodies.text)")
            #expect(bodies.text.contains("names[\\Issue.statusValue] = \"status\""))
        }
    }

    @Test("Private types of one name in several files are told apart", arguments: [false, true])
    func homonyms(isReversed: Bool) {
        let sources = [
            SourceText(
                path: "A.swift", text: "private struct Row { let x: Int }\nenum Kind: Int16 { case a }"),
            SourceText(
                path: "B.swift",
                text: "import CoreData\nprivate class Row: NSManagedObject { @NSManaged var x: Int64 }"),
            SourceText(
                path: "C.swift",
                text: "import CoreData\nprivate struct Kind {}\nclass Line: NSManagedObject { @NSManaged var x: Int64 }"
            ),
            SourceText(
                path: "D.swift", text: "import CoreData\nclass Other: NSManagedObject { @NSManaged var kind: Kind }"),
        ]
        let bodies = ManagedBodies(module: "Rows", sources: isReversed ? sources.reversed() : sources)
        #expect(bodies.diagnostics.isEmpty, "\(bodies.diagnostics)")
        #expect(bodies.symbols.count >= 6)
    }

    @Test("Types of other modules are found where they are declared")
    func otherModules() {
        let source = SourceText(
            path: "Part.swift",
            text:
                "import CoreData\nimport Shapes\nclass Part: Base { @NSManaged var shape: Shapes.Shape?; @NSManaged var form: Form? }"
        )
        let shapes = [
            SourceText(path: "Shape.swift", text: "public enum Shape: Int16 { case round }"),
            SourceText(
                path: "Form.swift",
                text: "public typealias Form = Outer.Form\npublic enum Outer { public struct Form {} }"),
            SourceText(path: "Base.swift", text: "open class Base: NSManagedObject {}"),
        ]
        let bodies = ManagedBodies(module: "Parts", sources: [source], dependencies: ["Shapes": shapes])
        #expect(bodies.diagnostics.isEmpty)
        #expect(bodies.symbols.contains("$s5Parts4PartC5shape6Shapes5ShapeOSgvg"))
        #expect(bodies.symbols.contains("$s5Parts4PartC4form6Shapes5OuterO4FormVSgvs"))
        #expect(bodies.text.contains("classes[\"Part\"] = Part.self"))
    }

    @Test("Bodies import what their sources do, where it is there")
    func imports() {
        let text = """
            import CoreData
            import UIKit
            @testable import Shapes
            class Part: NSManagedObject { @NSManaged var name: String? }
            """
        let bodies = ManagedBodies(module: "Parts", sources: [.init(path: "Part.swift", text: text)])
        #expect(bodies.text.contains("\n#if canImport(Shapes)\n@testable import Shapes\n#endif\n"))
        #expect(bodies.text.contains("\n#if canImport(UIKit)\nimport UIKit\n#endif\n"))
    }

    @Test("A member under #if has a body under the same condition")
    func conditions() {
        let text = """
            import CoreData
            class Part: NSManagedObject {
                #if DEBUG
                @NSManaged var note: String?
                #else
                @NSManaged var note: Int
                #endif
            }
            """
        let bodies = ManagedBodies(module: "Parts", sources: [.init(path: "Part.swift", text: text)])
        #expect(bodies.text.contains("#if (DEBUG)\n"))
        #expect(bodies.text.contains("#if !(DEBUG)\n"))
        #expect(bodies.symbols.count == 4)
    }
}
