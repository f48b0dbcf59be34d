import Foundation
import Testing

@testable import Porting

@Suite("Porting overrides of key-value observing's methods")
struct ObserverOverrideTests {
    private let method = """
            override func observeValue(
                forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                context: UnsafeMutableRawPointer?
            ) { seen.append(keyPath!) }
        """

    private func port(_ text: String, _ style: PortingStyle, beside other: String = "") -> PortedSource {
        var surroundings = PortingSurroundings()
        surroundings.declarations = DeclarationTable(of: other)
        return SourcePorter.port(text, path: "Watcher.swift", style: style, surroundings: surroundings)
    }

    @Test func `for the compiler alone, the override goes and the class adopts the protocol, on the same lines`() {
        let text = "import CoreData\nclass Watcher: NSObject {\n\(method)\n}\n"
        let ported = port(text, .overlay)
        #expect(ported.text.contains("class Watcher: NSObject, KeyValueObserver {"))
        #expect(!ported.text.contains("override"))
        #expect(ported.text.split(separator: "\n").count == text.split(separator: "\n").count)
        #expect(ported.remarks.isEmpty)
    }

    @Test func `for people, the method is there twice under a condition, and an extension adopts the protocol`() {
        let ported = port("import CoreData\nfinal class Watcher: NSObject, Sendable {\n\(method)\n}\n", .portable)
        #expect(
            ported.text.contains("    #if canImport(ObjectiveC)\n    override func observeValue(\n"))
        #expect(ported.text.contains("    #else\n    func observeValue(\n"))
        #expect(
            ported.text.hasSuffix(
                "}\n#if !canImport(ObjectiveC)\nextension Watcher: KeyValueObserver {}\n#endif\n"))
        #expect(ported.remarks.isEmpty)
        #expect(port(ported.text, .portable).text == ported.text)
    }

    @Test func `nested classes are named in full`() {
        let ported = port("import CoreData\nenum Outer {\nclass Watcher: NSObject {\n\(method)\n}\n}\n", .portable)
        #expect(ported.text.contains("\nextension Outer.Watcher: KeyValueObserver {}\n"))
    }

    @Test func `managed objects and subclasses of observers keep their overrides`() {
        for style in [PortingStyle.overlay, .portable] {
            let person =
                "import CoreData\nclass Person: NSManagedObject {\n\(method)\n}\nclass Boss: Person {\n\(method)\n}\n"
            #expect(port(person, style).text == person)
            #expect(port(person, style).remarks.isEmpty)
            let inherited = "import CoreData\nclass Inner: Watcher {\n\(method)\n}\n"
            #expect(port(inherited, style, beside: "class Watcher: NSObject {\n\(method)\n}").text == inherited)
        }
    }

    @Test func `dependencies of keys are adopted once, whichever of the methods there are`() {
        let text = """
            import CoreData
            class Model: NSObject {
                override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
                override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }
            }
            """
        let overlay = port(text, .overlay).text
        #expect(overlay.contains("class Model: NSObject, KeyValueDependencies {"))
        #expect(overlay.contains("    class func automaticallyNotifiesObservers"))
        #expect(port(text, .portable).text.components(separatedBy: "extension Model: KeyValueDependencies").count == 2)
    }
}
