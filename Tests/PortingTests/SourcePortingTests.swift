import Porting
import Testing

@Suite("Sources that are ported")
struct SourcePortingTests {
    private func port(_ text: String, _ style: PortingStyle) -> PortedSource {
        PortedSource(porting: text, path: "/package/Source.swift", style: style)
    }

    /// A source with everything that the tool knows.
    private static let everything = """
        import CoreData.NSFetchRequest
        import UIKit
        @objc(Person)
        public class Person: NSManagedObject {
            @NSManaged @objc dynamic var name: String?
            @nonobjc public class func fetchRequest() -> NSFetchRequest<Person> { fatalError() }
            @objc(addPetsObject:)
            @NSManaged public func addToPets(_ value: Person)
            @IBAction @objc func save() { print(#keyPath(Person.name), #keyPath(Model.Person.owner.name)) }
        }
        @objcMembers class Other: NSObject {}
        @objc protocol Listener {}
        """

    @Test("The key paths of private classes and of private members are registered in their own file")
    func privateKeyPaths() {
        let text = """
            import CoreData
            private class Row: NSManagedObject {
                @NSManaged var x: Int64
                @NSManaged private var hidden: Int64
                class Cell: NSManagedObject { @NSManaged @objc(state) var status: String }
                private class Inner: NSManagedObject { @NSManaged var y: Int64 }
            }
            class Line: NSManagedObject { @NSManaged var x: Int64; @NSManaged fileprivate var shared: Int64 }
            extension Line { @NSManaged private var `default`: String? }
            func test() { class Local: NSManagedObject { @NSManaged var z: Int64 } }
            """
        let ported = port(text, .overlay).text
        #expect(
            ported.contains(
                #"String] = [\Row.x: "x", \Row.Cell.status: "state", \Line.shared: "shared"]; names.merge("#),
            "\(ported)")
        #expect(ported.contains(#"extension Row { fileprivate static func _privateKeyPathsOfRow() -> "#))
        #expect(ported.contains(#"{ [\Row.hidden: "hidden"] } }"#), "\(ported)")
        #expect(
            ported.contains(#"_privateKeyPathsOfLine() -> [AnyKeyPath: String] { [\Line.`default`: "default"] } }"#))
        #expect(ported.components(separatedBy: "\n").prefix(10).last?.hasPrefix("func test()") == true)
        let portable = port(text, .portable).text
        let parts = portable.components(separatedBy: "\n#if !canImport(ObjectiveC)\n")
        #expect(
            parts.count == 2 && parts[1].hasSuffix("\n#endif\n") && parts[1].contains("_privateKeyPaths"), "\(portable)"
        )
        #expect(port(portable, .portable).text == portable)
    }

    @Test("For people, attributes go under a condition, in lines of their own, and the declaration stays one")
    func portable() {
        let expected = """
            import CoreData
            #if canImport(UIKit)
            import UIKit
            #endif
            #if canImport(ObjectiveC)
            @objc(Person)
            #endif
            public class Person: NSManagedObject {
                @NSManaged
                #if canImport(ObjectiveC)
                @objc
                #endif
                dynamic var name: String?
                #if canImport(ObjectiveC)
                @nonobjc
                #endif
                public class func fetchRequest() -> NSFetchRequest<Person> { fatalError() }
                #if canImport(ObjectiveC)
                @objc(addPetsObject:)
                #endif
                @NSManaged public func addToPets(_ value: Person)
                #if canImport(ObjectiveC)
                @IBAction @objc
                #endif
                func save() { print("name", "owner.name") }
            }
            #if canImport(ObjectiveC)
            @objcMembers
            #endif
            class Other: NSObject {}
            #if canImport(ObjectiveC)
            @objc
            #endif
            protocol Listener: AnyObject {}
            """
        let ported = port(Self.everything, .portable)
        #expect(ported.text == expected)
        #expect(ported.remarks.isEmpty)
        #expect(ported.usesCoreData && ported.needsPlugin)
    }

    @Test("A target with a migration policy gets the plugin, which registers the policy and its methods")
    func policies() {
        #expect(port("import CoreData\nclass Split: NSEntityMigrationPolicy {}\n", .overlay).needsPlugin)
        #expect(!port("import CoreData\nlet policy = NSEntityMigrationPolicy()\n", .overlay).needsPlugin)
    }

    @Test("What is ported already stays as it is")
    func idempotent() {
        let once = port(Self.everything, .portable).text
        #expect(port(once, .portable).text == once)
    }

    @Test("For the compiler, every line and column stays where it was")
    func overlay() {
        let ported = port(Self.everything, .overlay).text
        let expected = """
            import CoreData
                        
                          
            public class Person: NSManagedObject {
                @NSManaged       dynamic var name: String?
                         public class func fetchRequest() -> NSFetchRequest<Person> { fatalError() }
            """
        let lines = ported.split(separator: "\n", omittingEmptySubsequences: false)
        for (line, text) in zip(lines, expected.split(separator: "\n", omittingEmptySubsequences: false)) {
            #expect(line.trimmed == text.trimmed)
        }
        #expect(lines.count == Self.everything.split(separator: "\n", omittingEmptySubsequences: false).count)
        #expect(!ported.contains("@objc") && !ported.contains("@nonobjc") && !ported.contains("UIKit"))
        #expect(ported.contains("class Other: NSObject {}") && ported.contains("protocol Listener: AnyObject {}"))
    }

    @Test("What Linux doesn't compile stays as it is", arguments: [PortingStyle.portable, .overlay])
    func conditions(style: PortingStyle) {
        let text = """
            import CoreData
            #if os(iOS) || (os(macOS) && !targetEnvironment(macCatalyst))
            @objc class View: UIView { let path = #keyPath(Person.name) }
            #elseif !os(Linux)
            @objc class Other {}
            #else
            class Plain {}
            #endif
            """
        #expect(port(text, style).text == text)
    }

    @Test("A file that needs a framework which Linux lacks is left out, and that is said")
    func frameworks() {
        let text = "// Licence\nimport CoreData\nimport UIKit\nclass Cell: UITableViewCell {}\n"
        let portable = port(text, .portable)
        #expect(
            portable.text
                == "// Licence\n#if canImport(UIKit)\nimport CoreData\nimport UIKit\nclass Cell: UITableViewCell {}\n#endif\n"
        )
        #expect(portable.remarks.map(\.line) == [4])
        #expect(port(portable.text, .portable).text == portable.text)
        #expect(!port(text, .overlay).text.contains("Cell"))
    }

    @Test(
        "A file that uses Core Data gets the import that it lacks",
        arguments: [
            ("import Foundation\nlet a = NSPredicate(value: true)\n", "import CoreData\nimport Foundation\n"),
            (
                "// Licence\n\nlet a = NSSortDescriptor(key: \"a\", ascending: true)\n",
                "// Licence\n\nimport CoreData\n\nlet a"
            ),
            ("#if DEBUG\nimport Foundation\n#endif\nlet a: NSExpression? = nil\n", "import CoreData\n\n#if DEBUG\n"),
            (
                "import Foundation\nfunc f() { p.addObserver(o, forKeyPath: \"a\", options: [], context: nil) }\n",
                "import CoreData\nimport Foundation\n"
            ),
            (
                "import Foundation\nlet t = p.observe(\\.a) { _, c in let o: NSKeyValueObservedChange = c }\n",
                "import CoreData\n"
            ),
            ("import Foundation\nfunc f() { p.removeObserver(o, forKeyPath: path) }\n", "import CoreData\n"),
            ("import Foundation\nfinal class T: ValueTransformer {}\n", "import CoreData\n"),
            ("import Foundation\nlet n = NSValueTransformerName(\"t\")\n", "import CoreData\n"),
            ("import Foundation\nlet n = path._kvcKeyPathString\n", "import CoreData\n"),
        ])
    func missingImport(text: String, start: String) {
        let ported = port(text, .portable)
        #expect(ported.text.hasPrefix(start))
        #expect(port(ported.text, .portable).text == ported.text)
        let overlaid = port(text, .overlay).text
        #expect(overlaid.contains("import CoreData"))
        #expect(
            overlaid.contains("\n#sourceLocation(file: \"/package/Source.swift\", line: 1)\n")
                || overlaid.split(separator: "\n").count == text.split(separator: "\n").count)
    }

    @Test("A file that watches nothing but notifications gets none")
    func notificationsAlone() {
        let text = "import Foundation\nlet t = center.addObserver(forName: n, object: nil, queue: nil) { _ in }\n"
        #expect(port(text, .portable).text == text)
    }

    @Test("An observer with a selector becomes one with a closure")
    func observers() {
        let text = """
            import CoreData
            class Stack: NSObject {
                func start() {
                    NotificationCenter.default.addObserver(self,
                        selector: #selector(self.didSave(_:)),
                        name: .NSManagedObjectContextDidSave, object: nil)
                    center.addObserver(self, selector: #selector(Stack.reload), name: name, object: context)
                }
                @objc func didSave(_ notification: Notification) {}
                @objc func reload() {}
            }
            """
        let overlaid = port(text, .overlay).text
        #expect(
            overlaid.contains(
                "NotificationCenter.default.addObserver(self, name: .NSManagedObjectContextDidSave, object: nil) { $0.didSave($1) }\n\n\n"
            ))
        #expect(overlaid.contains("center.addObserver(self, name: name, object: context) { _ = $1; $0.reload() }"))
        let portable = port(text, .portable)
        #expect(
            portable.text.contains(
                "_ = center.addObserver(forName: name, object: context, queue: nil) { [weak observer = self] _ in observer?.reload() }"
            ))
        #expect(portable.remarks.map(\.line) == [4, 5])
    }

    @Test("A class that observes isn't held weakly")
    func observingClass() {
        let text = """
            class Helper {
                static func watch() { center.addObserver(self, selector: #selector(saved(_:)), name: name, object: nil) }
                class func all() { center.addObserver(Helper.self, selector: #selector(saved(_:)), name: nil, object: nil) }
                @objc static func saved(_ notification: Notification) {}
            }
            """
        let portable = port(text, .portable).text
        #expect(portable.contains("object: nil, queue: nil) { notification in self.saved(notification) }"))
        #expect(portable.contains("object: nil, queue: nil) { notification in Helper.self.saved(notification) }"))
        #expect(
            port(text, .overlay).text.contains("center.addObserver(self, name: name, object: nil) { $0.saved($1) }"))
    }

    @Test(
        "A file that imports Combine for managed objects' own publishers stays, one that needs more gets OpenCombine, and one that needs what that lacks is left out"
    )
    func combine() {
        let text = """
            import Combine
            import CoreData
            func watch(_ object: NSManagedObject) { object.objectWillChange.sink { _ in } }
            """
        #expect(!port(text, .overlay).text.contains("import Combine"))
        #expect(port(text, .overlay).text.contains("object.objectWillChange.sink { _ in }"))
        let portable = port(text, .portable).text
        #expect(portable.hasPrefix("#if canImport(Combine)\nimport Combine\n#endif\nimport CoreData\n"))
        let more = port(text + "\nvar all: Set<AnyCancellable> = []\n", .overlay)
        #expect(more.text.hasPrefix("import OpenCombine; ") && more.modules == [.combine])
        let most = port(text + "\nlet all = Publishers.Merge8(a, b, c, d, e, f, g, h)\n", .overlay)
        #expect(most.remarks.contains { $0.message.contains("left out") })
    }

    @Test(
        "A file that imports SwiftUI for what that has of Combine gets OpenCombine; with a view in it, it is left out")
    func combineOfSwiftUI() {
        let text = "import SwiftUI\nfinal class Items: ObservableObject {\n    @Published var all: [Int] = []\n}\n"
        let model = port(text, .overlay)
        #expect(model.text.hasPrefix("import Foundation; import OpenCombine; ") && model.modules == [.combine])
        #expect(model.remarks.isEmpty)
        let portable = port(text, .portable).text
        let imports = "import Foundation\n#if canImport(SwiftUI)\nimport SwiftUI\n#else\nimport OpenCombine\n"
        #expect(portable.hasPrefix(imports))
        let view = port(text + "struct Row: View { var body: some View { Text(\"\") } }\n", .overlay)
        #expect(view.modules.isEmpty && view.remarks.contains { $0.message.contains("left out") })
        // A property of that name is none of Combine's.
        #expect(port("import SwiftUI\nlet publisher = book.publisher\n", .overlay).modules.isEmpty)
        let lacking = port(text + "let all = Publishers.Merge8(a, b, c, d, e, f, g, h)\n", .overlay)
        #expect(lacking.remarks.contains { $0.message.contains("left out") })
    }

    @Test("An override in an extension moves into its class, where that is in the same file")
    func overrides() {
        let text = """
            import CoreData
            class Person: NSManagedObject {
                var a = 1
            }

            extension Person {
                // Before each save.
                @objc override func willSave() {
                    print(#selector(other))
                }

                var b: Int { 2 }
            }
            """
        let portable = port(text, .portable)
        #expect(
            portable.text.contains(
                """
                    var a = 1

                    // Before each save.
                    #if canImport(ObjectiveC)
                    @objc
                    #endif
                    override func willSave() {
                        print(#selector(other))
                    }
                }

                extension Person {

                    var b: Int { 2 }
                }
                """))
        #expect(portable.remarks.map(\.line) == [10])
        #expect(port(portable.text, .portable).text == portable.text)
        let overlaid = port(text, .overlay)
        #expect(overlaid.text.contains("line: 8)\n      override func willSave() {\n"))
        #expect(overlaid.text.contains("#sourceLocation(file: \"/package/Source.swift\", line: 4)\n}\n"))
        #expect(overlaid.remarks.map(\.line) == [9])
    }

    @Test("A cast between requests becomes what can succeed, for people in a statement of its own")
    func casts() {
        let text = """
            import CoreData
            func make<T>() throws -> NSFetchRequest<T> {
                let a = try request() as! NSFetchRequest<NSFetchRequestResult>
                delete(r as! NSFetchRequest<NSFetchRequestResult>, #keyPath(A.b))
                return a as! NSFetchRequest<T>
            }
            class Holder { let request = other as! NSFetchRequest<Person> }
            """
        let overlaid = port(text, .overlay)
        #expect(overlaid.text.contains("let a = try NSFetchRequest<NSFetchRequestResult>.cast(request())\n"))
        #expect(overlaid.text.contains("delete(NSFetchRequest<NSFetchRequestResult>.cast(r), \"b\""))
        #expect(overlaid.text.contains("return NSFetchRequest<T>.cast(a)\n"))
        #expect(overlaid.text.contains("let request = NSFetchRequest<Person>.cast(other) }"))
        #expect(overlaid.remarks.isEmpty)
        #expect(port("let a = Person.fetchRequest() as NSFetchRequest<Person>\n", .portable).remarks.isEmpty)
        let optional = port("let a = try f(r() as? NSFetchRequest<Person>)\n", .overlay).text
        #expect(optional.contains("let a = try f(NSFetchRequest<Person>.castIfRequest(r()))\n"))
        let portable = port(text, .portable)
        #expect(
            portable.text.contains(
                """
                    #if canImport(ObjectiveC)
                    delete(r as! NSFetchRequest<NSFetchRequestResult>, #keyPath(A.b))
                    #else
                    delete(NSFetchRequest<NSFetchRequestResult>.cast(r), "b")
                    #endif
                """))
        #expect(portable.remarks.map(\.line) == [19])
        #expect(port(portable.text, .portable).text == portable.text)
    }

    @Test(
        "What can't be changed is said, with its line",
        arguments: [
            ("extension Person {\n    override func willSave() {}\n}", 2, "in an extension"),
            ("let s = #selector(Person.save)", 1, "#selector"),
            ("protocol P {\n    optional func count() -> Int\n}", 2, "optional"),
            (
                "import CoreData\nfunc f() { class O: NSObject {\n  override func observeValue(forKeyPath keyPath: String?) {}\n}\n}",
                3,
                "KeyValueObserver"
            ),
            ("class O {\n  var a: Int { @objc(isA) get { 1 } }\n}", 2, "accessor"),
        ])
    func remarks(text: String, line: Int, message: String) {
        let remarks = port(text, .portable).remarks
        #expect(remarks.map(\.line) == [line])
        #expect(remarks.first?.message.contains(message) == true)
    }
}

extension Substring {
    fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}
