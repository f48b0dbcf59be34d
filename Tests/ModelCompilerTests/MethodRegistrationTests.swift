import Foundation
import ModelCompiler
import Testing

@Suite("Registration of methods that have a selector on Apple's platforms") struct MethodRegistrationTests {
    private static let objc = "#if canImport(ObjectiveC)\n@objc\n#endif\n"
    private static let source = """
        import CoreData
        class Person: NSManagedObject {
            @NSManaged var name: String?
            \(objc) func initial() -> String { "" }
            \(objc) func greet(_ other: Person, with word: String?) -> NSNumber { 1 }
            \(objc) func forget() {}
            \(objc) class func keyPathsForValuesAffectingFullName() -> Set<String> { ["name"] }
            \(objc) static var keyPathsForValuesAffectingLabel: Set<String> { ["name"] }
            \(objc) class func count() -> Int { 0 }
            \(objc) private func hidden() -> Int { 1 }
            \(objc) func fail() throws {}
            \(objc) func later() async -> Int { 1 }
            \(objc) @MainActor func show() -> Int { 1 }
            \(objc) func call(_ body: @escaping () -> Void) {}
            func swiftOnly() -> Int { 1 }
        }
        final class SplitPolicy: NSEntityMigrationPolicy {
            \(objc) func birthYear(forAge age: NSNumber) -> NSNumber { age }
            \(objc) func price(_ cents: NSNumber, currency: String) -> String { "" }
            \(objc) func number(text: String) -> NSNumber? { nil }
        }
        class KeyedPolicy: NSEntityMigrationPolicy {
            init(key: String) { super.init() }
        }
        class NamePolicy: KeyedPolicy {
            \(objc) init() { super.init(key: "name") }
        }
        final class TitlePolicy: NamePolicy {}
        final class OtherPolicy: NamePolicy {
            override init() { super.init() }
        }
        final class BrokenPolicy: NamePolicy {
            init(title: String) { super.init() }
        }
        class Window: NSObject {
            \(objc) func close() {}
            \(objc) class func keyPathsForValuesAffectingArea() -> Set<String> { ["width"] }
        }
        """

    private static func text() -> String {
        ManagedBodies(module: "Program", sources: [.init(path: "Person.swift", text: source)]).text
    }

    @Test(
        "Those of managed objects and policies are called by their selectors, those of classes name dependent keys",
        arguments: [
            #"DeclaredMethod("initial", of: Person.self) { object, _ in object.initial() }"#,
            #"DeclaredMethod("greet:with:", of: Person.self) { object, arguments in try object.greet(arguments[0], with: arguments[1]) }"#,
            #"DeclaredMethod("forget", of: Person.self) { object, _ in object.forget(); return nil }"#,
            #"DeclaredMethod(ofClass: Person.self, "keyPathsForValuesAffectingFullName") { Person.keyPathsForValuesAffectingFullName() }"#,
            #"DeclaredMethod(ofClass: Person.self, "keyPathsForValuesAffectingLabel") { Person.keyPathsForValuesAffectingLabel }"#,
            #"DeclaredMethod("birthYearForAge:", of: SplitPolicy.self) { object, arguments in try object.birthYear(forAge: arguments[0]) }"#,
            #"DeclaredMethod("price:currency:", of: SplitPolicy.self)"#,
            #"DeclaredMethod("numberWithText:", of: SplitPolicy.self)"#,
            #"DeclaredMethod(ofClass: Window.self, "keyPathsForValuesAffectingArea")"#,
            #"classes["SplitPolicy"] = SplitPolicy.self"#,
            #"DeclaredMethod(ofClass: NamePolicy.self, "new") { NamePolicy() }"#,
            #"DeclaredMethod(ofClass: TitlePolicy.self, "new") { TitlePolicy() }"#,
            #"DeclaredMethod(ofClass: OtherPolicy.self, "new") { OtherPolicy() }"#,
        ])
    func registered(_ line: String) {
        #expect(Self.text().contains(line), "\(line) in \(Self.text())")
    }

    @Test(
        "Those that can't be called from anywhere, and those that Objective-C doesn't see, are left out",
        arguments: [
            "SplitPolicy()", "KeyedPolicy()", "BrokenPolicy()", "hidden", "fail", "later", "show", "\"call",
            "swiftOnly", "\"close", "\"count",
        ])
    func left(_ name: String) {
        let list = Self.text().split(separator: "\n").filter { $0.contains("DeclaredMethod(") }
        #expect(!list.contains { $0.contains(name) })
    }

    @Test("A target of policies alone gets them too")
    func policiesAlone() {
        let text =
            "import CoreData\n@objc(Old) class New: NSEntityMigrationPolicy {\n @objc func one() -> Int { 1 }\n}\n"
        let bodies = ManagedBodies(module: "Program", sources: [.init(path: "New.swift", text: text)])
        #expect(bodies.text.contains(#"DeclaredMethod("one", of: New.self)"#))
        #expect(bodies.text.contains(#"classes["Old"] = New.self"#))
    }

    @Test("Of methods that differ in their types only, none is called by the wrong one")
    func overloads() {
        let text = """
            import CoreData
            class Person: NSManagedObject {
                @NSManaged var name: String?
                @objc(setNumber:) func set(_ value: NSNumber) -> Int { 1 }
                @objc(setText:) func set(_ value: String) -> Int { 1 }
            }
            """
        let bodies = ManagedBodies(module: "Program", sources: [.init(path: "Person.swift", text: text)])
        #expect(!bodies.text.contains("DeclaredMethod("))
    }

    @Test(
        "Selectors are those that Swift's compiler makes",
        arguments: [
            ("birthYear", ["forAge"], "birthYearForAge:"), ("make", ["name"], "makeWithName:"),
            ("convert", ["toUnit"], "convertToUnit:"), ("move", [nil], "move:"), ("move", [nil, nil], "move::"),
            ("insert", [nil, "at"], "insert:at:"), ("sortedBy", ["name"], "sortedByName:"), ("all", [], "all"),
            ("fortune", ["forest"], "fortuneWithForest:"),
        ] as [(String, [String?], String)])
    func selectors(_ name: String, _ labels: [String?], _ selector: String) {
        #expect(SelectorName.exported(name, labels: labels) == selector)
    }

    @Test("What is registered compiles", .enabled(if: SwiftTool.modules != nil))
    func compiles() throws {
        #expect(
            try SwiftTool.typecheck(["Person.swift": Self.source, "Bodies.swift": Self.text()], module: "Program") == ""
        )
    }
}
