@_spi(GeneratedCode) import CoreData
import Foundation
import Testing

private enum Box {
    /// What the plugin makes known for a class with a name of its own.
    final class Nested: NSObject, NSSecureCoding {
        static let supportsSecureCoding = true
        override init() { super.init() }
        init?(coder: NSCoder) { super.init() }
        func encode(with coder: NSCoder) {}
    }
}

@Suite("Names of classes in archives")
struct ArchivedClassNameTests {
    @Test("may be told of a class inside of another, which Foundation on Linux can't archive")
    func nested() {
        GeneratedClasses.register(archivedClasses: { ["Nested": Box.Nested.self] })
        #expect(Box.Nested.supportsSecureCoding)
    }
}

private final class Renamed: NSObject {}

@Suite("Names of classes that generated code makes known")
struct ObjectiveCNameTests {
    @Test("lead to the class, and are told of it")
    func name() {
        GeneratedClasses.register(objectiveCNames: { ["RenamedOfTest": Renamed.self] })
        #expect(NSStringFromClass(Renamed.self) == "RenamedOfTest")
        #expect(NSClassFromString("RenamedOfTest") == Renamed.self)
    }
}
