import Foundation
import FoundationCompat
import Testing

@Suite("Bundles")
struct BundleResourceTests {
    @Test("give resources as URLs where URLs are wanted, and as before where nothing says")
    func urls() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).resources")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("A.momd"))
        let bundle = try #require(Bundle(url: folder))
        let urls: [URL] = try #require(bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil))
        #expect(urls.map(\.lastPathComponent) == ["A.momd"])
        let models = ["momd"].compactMap { bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) as [URL]? }
        #expect(models.count == 1)
        #expect(bundle.urls(forResourcesWithExtension: "momd", subdirectory: nil)?.count == 1)
    }

    @Test("of the program are the main one first, and none of them twice")
    func ofProgram() {
        let bundles = Bundle.bundlesOfProgram
        #expect(bundles.first == Bundle.main)
        #expect(Set(bundles.map(\.bundlePath)).count == bundles.count)
        #expect(bundles.contains { $0.bundleURL.pathExtension == "resources" })
    }

    @Test("of the program are those that it was built with, and no other package's beside it")
    func foreign() throws {
        let folder = Bundle.main.bundleURL.appendingPathComponent("Foreign_Package\(UUID().uuidString).resources")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(!Bundle.bundlesOfProgram.contains { $0.bundleURL.lastPathComponent == folder.lastPathComponent })
    }

    @Test("have beside them the user's folders, as Foundation knows them")
    func folders() {
        let manager = FileManager.default
        #expect(URL.documentsDirectory == manager.urls(for: .documentDirectory, in: .userDomainMask)[0])
        #expect(
            URL.applicationSupportDirectory == manager.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0])
        #expect(URL.cachesDirectory == manager.urls(for: .cachesDirectory, in: .userDomainMask)[0])
        let others: [URL] = [
            .downloadsDirectory, .desktopDirectory, .moviesDirectory, .musicDirectory, .picturesDirectory,
        ]
        #expect(Set(others).count == others.count)
    }

    @Test("Every bundle of the program has something that can stand for an identifier")
    func identifiers() {
        #expect(Bundle.main.identifierOfProgram == ProcessInfo.processInfo.processName)
        for bundle in Bundle.bundlesOfProgram { #expect(bundle.identifierOfProgram?.isEmpty == false) }
    }

    @Test("of targets are found by classes, also by one within an extension of another module's type")
    func nestedClass() throws {
        let file = URL(fileURLWithPath: "/x/Package_FoundationCompatTests.resources/a.json")
        let bundle = try #require(TargetBundle(holding: file))
        #expect(bundle.isOfModule(of: Data.Nested.self))
        #expect(bundle.isOfModule(of: Palette.self))
        #expect(!bundle.isOfModule(of: NSData.self))
    }
}

extension Data {
    fileprivate final class Nested {}
}
