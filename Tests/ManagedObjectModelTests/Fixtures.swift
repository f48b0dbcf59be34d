import Foundation
import ManagedObjectModel

/// The real files that Apple's tools wrote, found through `COREDATA_FIXTURES`.
enum Fixtures {
    static let root = TestFiles.fixtures

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

    /// Pairs of a compiled model and what seems to be its source.
    static let compiledPairs = pairs(kind: "mom")

    /// Pairs of a compiled model and its source as it was when it was compiled.
    ///
    /// Some of the pairs are of different commits, and some sources were saved by newer tools than those that
    /// compiled them (since Xcode 15.3 compiled models name their compiler).
    static let twins = compiledPairs.filter { pair in
        guard commit(in: pair.source) == commit(in: pair.model),
            let compiled = try? Data(contentsOf: url(pair.source)), let source = try? Data(contentsOf: url(pair.model))
        else { return false }
        let namesCompiler = compiled.range(of: Data("CDMCompilerToolVersion".utf8)) != nil
        let text = String(decoding: source, as: UTF8.self)
        let tools = text.firstMatch(of: /lastSavedToolsVersion="(\d+)"/).flatMap { Int($0.1) } ?? 0
        return namesCompiler || tools < 22757
    }

    private static func commit(in path: String) -> Substring? {
        path.split(separator: "/").first { $0.hasPrefix("@") }
    }

    /// Every model of Xcode 3.
    static let oldSourcePaths = paths(kind: "xcdatamodel-old", suffix: "/elements")

    /// Every model file that is not a bundle: XML and compiled.
    static let sourcePaths = paths(kind: "xcdatamodel", suffix: "/contents")
    static let compiledPaths = paths(kind: "momd", suffix: ".mom")
}
