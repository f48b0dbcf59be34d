import Foundation
import FoundationCompat
import Testing

@Suite("Localized texts")
struct LocalizedStringTests {
    @Test("A text that no table knows is its own key, with its values in it")
    func unknown() {
        let name = "Ada"
        #expect(String(localized: "no description", bundle: .main, comment: "A placeholder.") == "no description")
        #expect(
            String(localized: "100% of \(name)'s \(3) pages, \(2.5)", bundle: .main)
                == "100% of Ada's 3 pages, 2.500000")
        #expect(
            String(localized: "\(UInt8(7)) \(Int32(-1)) \(name.prefix(1)) \([1, 2])")
                == "7 -1 A [1, 2]")
        #expect(String(localized: "100%") == "100%")
    }

    @Test("A bundle's table translates the key, and may take values in another order")
    func translated() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).resources")
        let language = folder.appendingPathComponent("en.lproj")
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("\"%@ of %lld\" = \"%2$lld: %1$@\";\n".utf8)
            .write(to: language.appendingPathComponent("Localizable.strings"))
        let bundle = try #require(Bundle(url: folder))
        #expect(String(localized: "\("page") of \(12)", bundle: bundle) == "12: page")
    }
}
