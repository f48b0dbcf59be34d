import CoreData
import Foundation
import Testing

@Suite("What follows references by reflection, as a test runner does for an error that names an object")
struct MirrorTests {
    private func count(_ value: Any, depth: Int = 0) -> Int {
        guard depth < 12 else { return 1 }
        var mirror: Mirror? = Mirror(reflecting: value)
        var found = 1
        while let present = mirror {
            found += present.children.reduce(0) { $0 + count($1.value, depth: depth + 1) }
            mirror = present.superclassMirror
        }
        return found
    }

    @Test("meets a few values, and not the model and the context")
    func objects() throws {
        let stack = try TemporaryStack(model: Library.model())
        let context = stack.context()
        let author = context.make("Author", ["name": "A"])
        for number in 0..<20 { context.makeBook("\(number)", ["author": author]) }
        for object in [author, context.make("Author", ["name": "B"])] { #expect(count(object) < 100) }
        try context.save()
        #expect(count(author) < 100)
    }
}
