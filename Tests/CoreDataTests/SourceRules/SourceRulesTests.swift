import Foundation
import Testing

/// Rules that the compiler can't keep. Where the sources aren't beside the tests, there is nothing to look at.
@Suite("The sources")
struct SourceRulesTests {
    private struct Source {
        let path: String
        let lines: [String]
    }

    private static let sources: [Source] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
            guard let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) else {
                return nil
            }
            return Source(path: path, lines: text.components(separatedBy: "\n"))
        }
    }()

    private static let unchecked =
        #"@unchecked Sendable|unowned\(unsafe\)|nonisolated\(unsafe\)|@exclusivity\(unchecked\)"#
    private static let silenced = #"\btry[?!]"#

    /// A line without what is in quotes.
    private static func code(_ line: String) -> String {
        line.components(separatedBy: "\"").enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    }

    private static func has(_ line: String, _ pattern: String) -> Bool {
        code(line).range(of: pattern, options: .regularExpression) != nil
    }

    /// Lines of code that match, without what says why above or behind them.
    private static func unexplained(_ words: String, isReason: (_ above: ArraySlice<String>) -> Bool) -> [String] {
        sources.flatMap { source in
            let lines = source.lines.map { $0.trimmingCharacters(in: .whitespaces) }
            return lines.indices.compactMap { index -> String? in
                let line = lines[index]
                guard !line.hasPrefix("//"), has(line, words), !code(line).contains(" // "), !isReason(lines[..<index])
                else { return nil }
                return "\(source.path):\(index + 1): \(line)"
            }
        }
    }

    @Test("say at each check that the compiler leaves out why it isn't needed", .enabled(if: !sources.isEmpty))
    func unsafe() {
        let found = Self.unexplained(Self.unchecked) { above in
            // One reason does for declarations in a row.
            for line in above.reversed() {
                if line.hasPrefix("// Safe: ") { return true }
                guard line.hasPrefix("//") || line.hasPrefix("@") || Self.has(line, Self.unchecked) else {
                    return false
                }
            }
            return false
        }
        #expect(found == [])
    }

    @Test("say at each error that nobody is told why that does no harm", .enabled(if: !sources.isEmpty))
    func silence() {
        let found = Self.unexplained(Self.silenced) { above in
            // The statement may have begun on a line before.
            var others = 0
            for line in above.reversed() {
                if line.hasPrefix("//") { return !line.hasPrefix("///") }
                if Self.has(line, Self.silenced) { continue }
                others += 1
                if others > 2 || line.isEmpty || line.hasSuffix("}") { return false }
            }
            return false
        }
        #expect(found == [])
    }

    @Test("run one statement at a time, and make connections in one place", .enabled(if: !sources.isEmpty))
    func statements() {
        let homes = [
            ".execute(sql": [], "allStatements(": [], "sqlite3_exec(": [], "sqlite3_prepare": [], "sqlite3_open": [],
            "Configuration()": ["CoreData/Stores/SQLite/File/SQLiteConnection.swift"], "DatabaseQueue()": [],
        ]
        for source in Self.sources where source.path.hasPrefix("CoreData/") {
            for line in source.lines where !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                for (word, places) in homes where Self.code(line).contains(word) {
                    #expect(places.contains(source.path), "\(source.path): \(line)")
                }
            }
        }
    }
}
