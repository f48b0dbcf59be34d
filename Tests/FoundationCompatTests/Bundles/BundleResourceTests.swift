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
}
