import Testing

@testable import Porting

@Suite("Porting key paths of the class that they stand in")
struct OwnKeyPathTests {
    private func port(_ text: String, _ style: PortingStyle, classes: Set<String> = []) -> String {
        var surroundings = PortingSurroundings()
        surroundings.classes = classes
        return SourcePorter.port(text, path: "A.swift", style: style, surroundings: surroundings).text
    }

    @Test(arguments: [PortingStyle.overlay, .portable])
    func `a class gets its name, in itself and in extensions`(style: PortingStyle) {
        let ported = port(
            """
            import CoreData
            final class Person: NSManagedObject {
                static var order: [NSSortDescriptor] { [NSSortDescriptor(keyPath: \\Self.name, ascending: true)] }
            }
            extension Person {
                static func paths() -> [AnyKeyPath] { [1].map { _ in \\Self.age } }
            }
            extension Pet {
                static let order = NSSortDescriptor(keyPath: \\Self.owner?.name, ascending: false)
            }

            """, style, classes: ["Pet"])
        #expect(ported.contains("keyPath: \\Person.name,") && ported.contains("\\Person.age"))
        #expect(ported.contains("keyPath: \\Pet.owner?.name,"))
        #expect(!ported.contains("\\Self"))
    }

    @Test func `structs, protocols and what isn't known as a class keep theirs`() {
        let text = """
            import CoreData
            struct Row { static var path: AnyKeyPath { \\Self.id } }
            extension Named { static var path: AnyKeyPath { \\Self.name } }
            class Outer { enum Inner { static var path: AnyKeyPath { \\Self.rawValue } } }

            """
        #expect(port(text, .overlay) == text)
    }
}
