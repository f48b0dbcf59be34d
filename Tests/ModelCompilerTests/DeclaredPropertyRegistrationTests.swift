import Foundation
import ModelCompiler
import Testing

@Suite("Registration of what classes declare") struct DeclaredPropertyRegistrationTests {
    private static let source = """
        import CoreData
        class Person: NSManagedObject {
            @NSManaged var name: String?
            #if canImport(ObjectiveC)
            @objc
            #endif
            var initial: String { "" }
            var swiftOnly: String { "" }
            private var hidden: String { "" }
            func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {}
            func validateAll() throws {}
        }
        #if canImport(ObjectiveC)
        @objcMembers
        #endif
        class Pupil: Person {
            var grade: Int { 1 }
            static var count: Int { 2 }
            var later: Int { get async { 3 } }
            @MainActor var shown: Int { 4 }
        }
        #if canImport(ObjectiveC)
        @objc
        #endif
        extension Person {
            var surname: String { "" }
        }
        extension NSManagedObject {
            #if canImport(ObjectiveC)
            @objc
            #endif
            var entityInitial: String { "" }
        }
        class Shelf: NSObject {
            #if canImport(ObjectiveC)
            @objc
            #endif
            var width: Int { 1 }
        }
        """

    private static func text() -> String {
        ManagedBodies(module: "Program", sources: [.init(path: "Person.swift", text: source)]).text
    }

    @Test("What an extension adds to a managed object of another module is found there as well")
    func extensionsOfOtherModules() throws {
        let own = """
            import CoreData
            import Kit
            extension Person { @objc var decade: String { "" } }
            """
        let kit = "import CoreData\nopen class Person: NSManagedObject {}"
        let text = ManagedBodies(
            module: "App", sources: [.init(path: "App.swift", text: own)],
            dependencies: ["Kit": [.init(path: "Kit.swift", text: kit)]]
        ).text
        #expect(text.contains("Person.decade") && text.contains("import Kit"))
    }

    @Test("Key-value coding finds the properties that are Objective-C's on Apple's platforms, and no others")
    func properties() throws {
        let text = Self.text()
        let start = try #require(text.range(of: "func properties()"))
        let list = text[start.upperBound...].prefix { $0 != "}" }
        for wanted in [
            "\\Person.initial", "\\Pupil.grade", "\\Person.surname", "\\NSManagedObject.entityInitial", "\\Shelf.width",
        ] { #expect(list.contains(wanted), "\(wanted) in \(list)") }
        for unwanted in ["swiftOnly", "hidden", "count", "later", "shown", ".name]"] {
            #expect(!list.contains(unwanted), "\(unwanted) in \(list)")
        }
        #expect(text.contains("GeneratedClasses.register(properties: properties)"))
    }

    @Test("Classes that have a name of Objective-C's are known by it")
    func objectiveCNames() {
        let source = """
            @objc(OCPerson) class Person: NSManagedObject { @NSManaged var name: String }
            #if canImport(ObjectiveC)
            @objc(OCColor)
            #endif
            final class Color: ValueTransformer {}
            enum Outer { @objc(OCInner) class Inner: NSObject {} }
            @objc(OCHidden) private class Hidden: NSObject {}
            class Plain: NSManagedObject {}
            @objc class Marked: NSObject {}
            """
        let text = ManagedBodies(module: "Program", sources: [.init(path: "Person.swift", text: source)]).text
        let list = text.components(separatedBy: "func objectiveCNames()").last?.prefix { $0 != "}" } ?? ""
        for wanted in [
            "classes[\"OCPerson\"] = Person.self", "classes[\"OCColor\"] = Color.self",
            "classes[\"OCInner\"] = Outer.Inner.self",
        ] { #expect(list.contains(wanted), "\(wanted) in \(list)") }
        for unwanted in ["Hidden", "Plain", "Marked"] { #expect(!list.contains(unwanted), "\(unwanted) in \(list)") }
        #expect(text.contains("GeneratedClasses.register(objectiveCNames: objectiveCNames)"))
    }

    @Test("Validation finds methods of the form validate<Key>")
    func validators() {
        let text = Self.text()
        #expect(text.contains(#"DeclaredValidator("validateName", of: Person.self) { try $0.validateName($1) }"#))
        #expect(!text.contains("validateAll"))
    }

    @Test("Extensions of generated classes count too")
    func generatedClasses() {
        let bodies = ManagedBodies(
            module: "Program",
            sources: [
                .init(path: "Extension.swift", text: "extension Pet {\n    @objc var short: String { \"\" }\n}\n")
            ],
            generated: [.init(path: "Pet.swift", text: "import CoreData\npublic class Pet: NSManagedObject {\n}\n")])
        #expect(bodies.text.contains(#"names[\Pet.short] = "short""#), "\(bodies.text)")
    }

    @Test("What is registered compiles", .enabled(if: SwiftTool.modules != nil))
    func compiles() throws {
        #expect(
            try SwiftTool.typecheck(["Person.swift": Self.source, "Bodies.swift": Self.text()], module: "Program") == ""
        )
    }
}
