import Foundation
import Testing

@Suite("What the documentation shows is what is built")
struct DocumentationTests {
    @Test("the README's example is Examples/Quickstart, in at most thirty lines")
    func quickstart() throws {
        let readme = try PackageFiles.text("README.md")
        let example = try PackageFiles.text("Examples/Quickstart/main.swift")
        let marker = try #require(readme.range(of: "<!-- quickstart"))
        let start = try #require(readme.range(of: "```swift\n", range: marker.upperBound..<readme.endIndex))
        let end = try #require(readme.range(of: "```", range: start.upperBound..<readme.endIndex))
        #expect(readme[start.upperBound..<end.lowerBound] == example)
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
    }

    @Test("links between the documents lead to files")
    func links() throws {
        for document in [
            "README.md", "CONTRIBUTING.md", "Documentation/Architecture.md", "Documentation/Differences.md",
        ] {
            let folder = PackageFiles.root.appendingPathComponent(document).deletingLastPathComponent()
            for match in try PackageFiles.text(document).matches(of: /\]\(([^):#]+)\)/) {
                let target = folder.appendingPathComponent(String(match.output.1)).standardizedFileURL.path
                #expect(FileManager.default.fileExists(atPath: target), "\(document) links to \(match.output.1)")
            }
        }
    }
}
