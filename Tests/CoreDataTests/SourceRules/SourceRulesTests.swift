import Foundation
import Testing

/// Rules that the compiler can't keep. Where the sources aren't beside the tests, there is nothing to look at.
@Suite("The sources")
struct SourceRulesTests {
    private struct Source {
        let path: String
        let text: String
        var lines: [String] { text.components(separatedBy: "\n") }

        func contains(_ words: [String]) -> Bool { words.contains { text.contains($0) } }
    }

    /// What the compiler isn't to check: a pattern, and the words without one of which no line has it, which are found faster.
    private struct Marker {
        let pattern: String
        let words: [String]

        func isIn(_ line: String) -> Bool {
            words.contains { line.contains($0) }
                && SourceRulesTests.code(line).range(of: pattern, options: .regularExpression) != nil
        }
    }

    private static let sources: [Source] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
        let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
            guard let text = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8) else {
                return nil
            }
            return Source(path: path, text: text)
        }
    }()

    private static let unchecked = Marker(
        pattern: #"@unchecked Sendable|unowned\(unsafe\)|nonisolated\(unsafe\)|@exclusivity\(unchecked\)"#,
        words: ["unchecked", "unsafe"])
    private static let silenced = Marker(pattern: #"\btry[?!]"#, words: ["try?", "try!"])

    /// A line without what is in quotes.
    private static func code(_ line: String) -> String {
        line.components(separatedBy: "\"").enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
    }

    /// Lines of code that match, without what says why above or behind them.
    private static func unexplained(_ marker: Marker, isReason: (_ above: ArraySlice<String>) -> Bool) -> [String] {
        sources.filter { $0.contains(marker.words) }.flatMap { source in
            let lines = source.lines.map { $0.trimmingCharacters(in: .whitespaces) }
            return lines.indices.compactMap { index -> String? in
                let line = lines[index]
                guard !line.hasPrefix("//"), marker.isIn(line), !code(line).contains(" // "), !isReason(lines[..<index])
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
                guard line.hasPrefix("//") || line.hasPrefix("@") || Self.unchecked.isIn(line) else {
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
                if Self.silenced.isIn(line) { continue }
                others += 1
                if others > 2 || line.isEmpty || line.hasSuffix("}") { return false }
            }
            return false
        }
        #expect(found == [])
    }

    @Test("run one statement at a time, and configure connections in one place", .enabled(if: !sources.isEmpty))
    func statements() {
        let homes = [
            ".execute(sql": [], "allStatements(": [], "sqlite3_exec(": [], "sqlite3_prepare": [], "sqlite3_open": [],
            "Configuration()": ["CoreDataSQLite/File/SQLiteConnection+Hardening.swift"],
            // In memory, to ask which pragmas there are.
            "DatabaseQueue()": ["CoreDataSQLite/File/Opening/SQLitePragmaCheck.swift"],
        ]
        var found: [String: Int] = [:]
        for source in Self.sources where source.path.hasPrefix("CoreData") && source.contains(Array(homes.keys)) {
            for line in source.lines where !line.trimmingCharacters(in: .whitespaces).hasPrefix("//") {
                for (word, places) in homes where line.contains(word) && Self.code(line).contains(word) {
                    #expect(places.contains(source.path), "\(source.path): \(line)")
                    found[word, default: 0] += 1
                }
            }
        }
        // Where the one place has moved, the rule looks at nothing.
        #expect(found["Configuration()"] == 1)
    }
}
