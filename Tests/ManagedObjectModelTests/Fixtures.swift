import Foundation
import ManagedObjectModel

/// The real files that Apple's tools wrote, found through `COREDATA_FIXTURES`.
enum Fixtures {
    static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["COREDATA_FIXTURES"] { return URL(fileURLWithPath: path) }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/fixtures")
    }()

    static var arePresent: Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent("pairs.tsv").path)
    }

    /// The files of that kind whose name ends so, by their paths below `root`.
    static func paths(kind: String, suffix: String) -> [String] {
        let folder = root.appendingPathComponent("files/\(kind)").path
        guard let files = FileManager.default.enumerator(atPath: folder) else { return [] }
        return files.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.map { "files/\(kind)/\($0)" }.sorted()
    }

    static func url(_ path: String) -> URL {
        root.appendingPathComponent(path)
    }

    /// A row of `pairs.tsv`.
    struct Pair: CustomStringConvertible, Sendable {
        let kind: String
        let source: String
        let model: String
        let confidence: String

        var description: String { source }
    }

    static func pairs(kind: String) -> [Pair] {
        guard let text = try? String(contentsOf: url("pairs.tsv"), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.components(separatedBy: "\t")
            guard columns.count >= 5, columns[0] == kind else { return nil }
            return Pair(kind: columns[0], source: columns[2], model: columns[3], confidence: columns[4])
        }
    }

    /// Every model file that is not a bundle: XML and compiled.
    static let sourcePaths = paths(kind: "xcdatamodel", suffix: "/contents")
    static let compiledPaths = paths(kind: "momd", suffix: ".mom")
}
