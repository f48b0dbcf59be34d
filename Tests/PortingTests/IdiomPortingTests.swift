import Porting
import Testing

@Suite("Idioms of Objective-C that are ported")
struct IdiomPortingTests {
    private func port(_ text: String, _ style: PortingStyle) -> PortedSource {
        PortedSource(porting: text, path: "/package/Source.swift", style: style)
    }

    @Test(
        "A selector that is no more than a name becomes that name",
        arguments: [
            (
                "let d = NSSortDescriptor(key: \"a\", ascending: true, selector: #selector(NSString.caseInsensitiveCompare(_:)))",
                "selector: Selector((\"caseInsensitiveCompare:\")))"
            ),
            (
                "let d = NSSortDescriptor(key: \"a\", ascending: true, selector: #selector(NSString.localizedStandardCompare))",
                "Selector((\"localizedStandardCompare:\"))"
            ),
            (
                "let s = #selector(NSString.localizedStandardCompare(_:))\nlet d = NSSortDescriptor(key: \"a\", ascending: true, selector: s)",
                "let s = Selector((\"localizedStandardCompare:\"))"
            ),
            ("let k = NSStringFromSelector(#selector(getter: Person.name))", "let k = \"name\""),
            ("let k = #selector(getter: Person.name)", "let k = Selector((\"name\"))"),
            (
                "class A { @objc func age() -> String { \"\" } }\nlet k = \"\\(#selector(A.age))\"",
                "let k = \"\\(\"age\")\""
            ),
            (
                "class A { @objc func by(key: A) {} }\nlet d = NSSortDescriptor(key: k, ascending: true, selector: #selector(A.by(key:)))",
                "Selector((\"byKey:\"))"
            ),
        ])
    func selectors(text: String, part: String) {
        for style in [PortingStyle.overlay, .portable] {
            let ported = port("import CoreData\n" + text, style)
            #expect(ported.text.contains(part))
            #expect(ported.remarks.isEmpty)
        }
    }

    @Test("An observer's method that throws is tried")
    func throwingObservers() {
        let text = """
            import CoreData
            class A {
                @objc func saved(_ n: Notification) throws {}
                init() { NotificationCenter.default.addObserver(self, selector: #selector(saved(_:)), name: .x, object: nil) }
            }
            """
        #expect(port(text, .overlay).text.contains("{ try? $0.saved($1) }"))
        #expect(port(text, .portable).text.contains("try? observer?.saved(notification)"))
    }

    @Test("An import comes in front of a condition around the first declaration's attribute")
    func importBeforeCondition() {
        let text = "@objc public enum E: Int { case a\n    var p: NSPredicate? { nil } }\n"
        #expect(port(text, .portable).text.hasPrefix("import CoreData\n\n#if canImport(ObjectiveC)\n@objc"))
    }

    @Test("Key-value coding of the user defaults needs the import")
    func userDefaults() {
        let text = "import Foundation\nlet x = UserDefaults.standard.value(forKey: \"a\")\n"
        #expect(port(text, .overlay).text.hasPrefix("import CoreData; import Foundation\n"))
        let other = "import Foundation\nlet x = json.value(forKey: \"a\")\n"
        #expect(port(other, .overlay).text == other)
    }

    @Test("What is imported beside Foundation is imported with the same access")
    func accessOfImports() {
        let text = "public import Foundation\nextension NSPredicate { public var is: Bool { true } }\n"
        #expect(port(text, .overlay).text.hasPrefix("public import CoreData; public import Foundation\n"))
        #expect(port(text, .portable).text.hasPrefix("public import CoreData\npublic import Foundation\n"))
        let conditional =
            "#if os(Linux)\npublic import Foundation\nextension NSPredicate { public var is: Bool { true } }\n#endif\n"
        #expect(port(conditional, .overlay).text.hasPrefix("public import CoreData\n"))
        #expect(port(conditional, .portable).text.hasPrefix("public import CoreData\n"))
        let both = "public import Foundation\nimport CoreData\nextension NSPredicate { public var is: Bool { true } }\n"
        #expect(port(both, .overlay).text.contains("\npublic import CoreData\n"))
        let plain = "public import Foundation\nimport CoreData\nfunc save(_ context: NSManagedObjectContext) {}\n"
        #expect(port(plain, .overlay).text == plain)
        let request = "package import Foundation\npackage func load(_ request: URLRequest) {}\n"
        #expect(port(request, .overlay).text.hasPrefix("package import FoundationNetworking; package import"))
        #expect(port("@testable import A\nlet p: NSPredicate\n", .overlay).text.hasPrefix("import CoreData; @testable"))
    }

    @Test("The bundle of a class becomes that of its target, for people in a statement or property of its own")
    func bundles() {
        let text = """
            import Foundation
            class Stack {
                static let model = load(Bundle(for: Stack.self))
                var bundle: Bundle { return Bundle(for: type(of: self)) }
            }
            """
        let overlaid = port(text, .overlay)
        #expect(overlaid.text.contains("static let model = load(Bundle(forTargetOf: Stack.self))\n"))
        #expect(overlaid.text.hasPrefix("import CoreData; import Foundation\n"))
        let portable = port(text, .portable)
        #expect(
            portable.text.contains(
                """
                    #if canImport(ObjectiveC)
                    static let model = load(Bundle(for: Stack.self))
                    #else
                    static let model = load(Bundle(forTargetOf: Stack.self))
                    #endif
                """))
        #expect(port(portable.text, .portable).text == portable.text)
    }

    @Test("All bundles become those of the program, except where a model is looked for in them")
    func allBundles() {
        let text = """
            import Foundation
            func load() -> URL? {
                for bundle in Bundle.allBundles {
                    if let url = bundle.url(forResource: "a", withExtension: "b") { return url }
                }
                return nil
            }
            """
        expectForm("for bundle in Bundle.bundlesOfProgram {", of: "for bundle in Bundle.allBundles {", in: text)
        let own = port("import Foundation\nlet all = find(from: Bundle.allBundles)\n", .overlay)
        #expect(own.text.contains("find(from: Bundle.bundlesOfProgram)"))
        let model = "import CoreData\nlet model = NSManagedObjectModel.mergedModel(from: Bundle.allBundles)\n"
        #expect(port(model, .overlay).text == model)
    }

    /// A statement of a function has a form of its own on Linux: in an overlay it is that, with CoreData imported; for people both
    /// are there, under a condition, and porting changes nothing more.
    private func expectForm(_ form: String, of statement: String, in text: String) {
        let overlaid = port(text, .overlay)
        #expect(overlaid.text.contains(form))
        #expect(overlaid.text.hasPrefix("import CoreData; import Foundation\n"))
        let portable = port(text, .portable)
        #expect(portable.text.contains("#if canImport(ObjectiveC)\n    \(statement)"))
        #expect(portable.text.contains("#else\n    \(form)"))
        #expect(port(portable.text, .portable).text == portable.text)
    }

    @Test("A search for the user's library is one for what stands for it, and its folder comes with CoreData")
    func library() {
        let text = """
            import Foundation
            func folders() -> [URL] {
                let all = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask)
                return all
            }
            """
        expectForm(
            "let all = FileManager.default.urls(for: .libraryOfUser, in: .userDomainMask)",
            of: "let all = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask)", in: text)
        let own = "import Foundation\nlet folder = Folders.libraryDirectory\nlet other = open(for: .libraryDirectory)\n"
        #expect(port(own, .overlay).text == own)
        let found = port("import Foundation\nlet folder = URL.libraryDirectory\n", .overlay)
        #expect(found.text == "import CoreData; import Foundation\nlet folder = URL.libraryDirectory\n")
    }

    @Test("A source with @Observable imports Observation, and one with a type of that name doesn't")
    func observable() {
        let text = "import Foundation\n@Observable final class Shelf {}\n"
        #expect(port(text, .overlay).text == "import Observation; " + text)
        #expect(port(text, .portable).text == "import Observation\n" + text)
        let adopting = "import Foundation\nextension Shelf: Observable {}\n"
        #expect(port(adopting, .portable).text == "import Observation\n" + adopting)
        let other = "import Foundation\nlet titles: Observable<String>\n"
        #expect(port(other, .overlay).text == other)
        let complete = "import Foundation\nimport Observation\n@Observable final class Shelf {}\n"
        #expect(port(complete, .overlay).text == complete)
    }

    @Test("A method that is optional in a protocol becomes a required one with a default, and its calls plain ones")
    func optionalRequirements() {
        let text = """
            import Foundation
            @objc public protocol Watch {
                /// Called when it is done.
                @objc(doneWith:) optional func done(with text: String)
                @objc optional func title(of number: Int) -> String?
                func must()
            }
            func call(_ watch: Watch?) {
                watch?.done?(with: "a")
                _ = watch?.title?(of: 1)
                watch?.other?(1)
            }
            """
        let overlaid = port(text, .overlay)
        #expect(overlaid.remarks.isEmpty)
        #expect(
            overlaid.text.contains(
                "    watch?.done(with: \"a\")\n    _ = watch?.title(of: 1)\n    watch?.other?(1)\n}\n"))
        #expect(
            overlaid.text.hasSuffix(
                """
                extension Watch {
                    public func done(with text: String) {}
                    public func title(of number: Int) -> String? { nil }
                }

                """))
        let portable = port(text, .portable)
        #expect(
            portable.text.contains(
                """
                    #if canImport(ObjectiveC)
                    @objc(doneWith:) optional func done(with text: String)
                    #else
                    func done(with text: String)
                    #endif
                """))
        #expect(portable.text.contains("#if !canImport(ObjectiveC)\nextension Watch {\n    public func done("))
        #expect(portable.text.contains("    watch?.done?(with: \"a\")\n    #else\n    watch?.done(with: \"a\")\n"))
        #expect(port(portable.text, .portable).text == portable.text)
    }

    @Test("A selector that is stored brings its method along")
    func storedSelectors() {
        let text = """
            import CoreData
            class Stack: NSObject {
                func observe(_ center: NotificationCenter) {
                    let selector = #selector(saved(_:))
                    let other = #selector(Stack.done)
                    center.addObserver(self, selector: selector, name: nil, object: nil)
                }
                @objc func saved(_ notification: Notification) {}
                @objc func done() {}
            }
            """
        let overlaid = port(text, .overlay)
        #expect(
            overlaid.text.contains(
                "let selector = Selector((\"saved:\"), calling: { (target: Stack, argument: Any?) in "
                    + "target.saved(argument as! Notification) })\n"))
        #expect(
            overlaid.text.contains(
                "let other = Selector((\"done\"), calling: { (target: Stack, _: Any?) in target.done() })\n"))
        #expect(overlaid.remarks.isEmpty)
        let portable = port(text, .portable)
        #expect(portable.text.contains("let selector = #selector(saved(_:))\n        #else\n"))
        #expect(portable.remarks.isEmpty)
        #expect(port(portable.text, .portable).text == portable.text)
    }

    @Test("The identifier of the main bundle, or a class's, becomes one that is there on Linux")
    func bundleIdentifiers() {
        let text = "import Foundation\nlet log = Log(subsystem: Bundle.main.bundleIdentifier!, category: \"a\")\n"
        let overlaid = port(text, .overlay).text
        #expect(overlaid.contains("Bundle.main.identifierOfProgram!"))
        #expect(overlaid.hasPrefix("import CoreData; import Foundation\n"))
        #expect(port(text, .portable).text.contains("#else\nlet log = Log(subsystem: Bundle.main.identifierOfProgram!"))
        let own =
            "import Foundation\nlet a = Bundle(for: A.self).bundleIdentifier ?? \"\"\nlet b = app.bundleIdentifier\n"
        #expect(
            port(own, .overlay).text.contains(
                "Bundle(forTargetOf: A.self).identifierOfProgram ?? \"\"\nlet b = app.bundleIdentifier\n"))
    }

    @Test("A source that names the user's folders as members of URL imports what has them")
    func folders() {
        let text = "import Foundation\nlet store = URL.applicationSupportDirectory.appending(path: \"a\")\n"
        #expect(port(text, .portable).text == "import CoreData\n" + text)
        let own = "import Foundation\nlet documentsDirectory = URL(fileURLWithPath: \"/\")\n"
        #expect(port(own, .portable).text == own)
    }

    @Test("A qualified name of what Linux' Foundation lacks is CoreData's")
    func qualifiedNames() {
        let text = """
            import Foundation
            class T: Foundation.ValueTransformer {}
            Foundation.ValueTransformer.setValueTransformer(T(), forName: .init("T"))
            let d: Foundation.Date? = nil
            """
        let ported = port(text, .portable).text
        #expect(ported.contains("class T: CoreData.ValueTransformer {}"))
        #expect(ported.contains("\nCoreData.ValueTransformer.setValueTransformer"))
        #expect(ported.contains("Foundation.Date?"))
        #expect(ported.hasPrefix("import CoreData\n"))
    }

    @Test("An import of one class that Linux' Foundation lacks is one of CoreData")
    func importsOfClasses() {
        let text =
            "import class Foundation.ValueTransformer\nimport struct Foundation.Date\nlet t: ValueTransformer? = nil\n"
        for style in [PortingStyle.portable, .overlay] {
            let ported = port(text, style).text
            #expect(ported.contains("import CoreData\nimport struct Foundation.Date\n"), "\(ported)")
        }
    }

    @Test("A literal of a mutable set becomes a call, others stay, as CoreData makes sets of them")
    func literals() {
        let text = """
            import CoreData
            func f(_ p: Person) {
                p.addToPets([cat])
                p.pets = [cat]
                let changing: NSMutableSet = [cat]
                let whole: NSSet = [cat]
            }
            """
        let ported = port(text, .overlay)
        #expect(
            ported.text
                == text.replacing("NSMutableSet = [cat]", with: "NSMutableSet = NSMutableSet(array: [cat])"))
        #expect(ported.remarks.isEmpty)
    }

    @Test("A managed property of a class inside of a function gets a body")
    func localClasses() {
        let text = """
            import CoreData
            func test() {
                final class Local: NSManagedObject {
                    @NSManaged var name: String
                    @NSManaged public var age: Int16
                    @NSManaged var date: Date?
                }
            }
            """
        let overlaid = port(text, .overlay).text
        #expect(!overlaid.contains("@NSManaged"))
        #expect(overlaid.contains("public var age: Int16 { get { value(forKey: \"age\") as? Int16 ?? 0 } set"))
        #expect(overlaid.contains("var date: Date? { get { value(forKey: \"date\") as? Date } set"))
        let portable = port(text, .portable).text
        #expect(
            portable.contains(
                """
                        #if canImport(ObjectiveC)
                        @NSManaged var name: String
                        #else
                        var name: String {
                """))
        #expect(port(portable, .portable).text == portable)
    }

    @Test("So does a property whose type names private ones, which a file of the plugin's can't")
    func privateTypes() {
        let text = """
            import CoreData
            @objc private enum Kind: Int16 { case cat, dog }
            private class Animal: NSManagedObject {
                @NSManaged var kind: Kind
                @NSManaged var owner: Human?
                @NSManaged var name: String
            }
            private class Human: NSManagedObject {
                @NSManaged var animals: Set<Animal>
                @NSManaged var list: [Animal]?
            }
            """
        let overlaid = port(text, .overlay).text
        #expect(overlaid.contains("Kind(rawValue: .init(truncatingIfNeeded: value(forKey: \"kind\") as? Int ?? 0))!"))
        #expect(overlaid.contains("set { setValue(newValue.rawValue, forKey: \"kind\") }"))
        #expect(overlaid.contains("var animals: Set<Animal> { get { value(forKey: \"animals\") as! Set<Animal> }"))
        #expect(overlaid.contains("var list: [Animal]? { get { value(forKey: \"list\") as? [Animal] }"))
        for kept in ["@NSManaged var owner: Human?", "@NSManaged var name: String"] {
            #expect(overlaid.contains(kept))
        }
        let portable = port(text, .portable).text
        #expect(port(portable, .portable).text == portable)
        let visible = text.replacing("private ", with: "")
        #expect(port(visible, .overlay).text.contains("@NSManaged var animals: Set<Animal>"))
    }

    @Test("What is inside of a file that is left out is ported too, for a package that has the framework one day")
    func insideOfLeftOut() {
        let text = "import UIKit\n@objc class Cell: UITableViewCell { let path = #keyPath(Person.name) }\n"
        let portable = port(text, .portable)
        #expect(portable.isLeftOut)
        #expect(portable.text.hasPrefix("#if canImport(UIKit)\nimport UIKit\n"))
        #expect(portable.text.contains("#if canImport(ObjectiveC)\n@objc\n#endif\n"))
        #expect(portable.text.contains("let path = \"name\""))
        #expect(port(portable.text, .portable).text == portable.text)
    }

    @Test("A file that uses Foundation's networking gets the module that it is in on Linux")
    func networking() {
        let text = "import Foundation\nlet a: HTTPURLResponse? = nil\n"
        #expect(port(text, .overlay).text.hasPrefix("import FoundationNetworking; import Foundation\n"))
        let portable = port(text, .portable).text
        #expect(
            portable.hasPrefix(
                "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\nimport Foundation"))
        #expect(port(portable, .portable).text == portable)
    }

    @Test("A file that is under a framework's condition and says nothing of it is compiled on Linux as well")
    func needlessConditions() {
        let text = "// A\n#if canImport(UIKit)\nimport CoreData\n@objc class A: NSObject {}\n#endif\n"
        let portable = port(text, .portable)
        #expect(portable.text.hasPrefix("// A\n#if canImport(UIKit) || os(Linux)\nimport CoreData\n"))
        #expect(port(portable.text, .portable).text == portable.text)
        let overlaid = port(text, .overlay).text
        #expect(overlaid.hasPrefix("// A\n#if true"))
        #expect(!overlaid.contains("@objc"))
        let needed = "#if canImport(UIKit)\nimport UIKit\nclass A: UIView {}\n#endif\n"
        #expect(port(needed, .overlay).text == needed)
    }
}
