import Foundation
import Testing

/// Ordinary programs, as tutorials, books and apps write them, each in a process of its own with the settings that a program
/// has by default.
@Suite("What ordinary programs do works")
struct IdiomTests {
    /// The groups of `Tests/Idioms`.
    static let groups = [
        "stack", "objects", "relationships", "fetching", "results", "saving", "undo", "concurrency",
        "patterns", "models", "observing", "memory", "custom-stores", "library", "lifecycle", "history", "migrations",
        "transformers", "merge-policies", "imports", "lists", "queries", "contexts", "notifications", "stores",
        "doubles",
        "tasks", "file-stores", "errors",
    ]

    @Test(arguments: groups)
    func everyClaimOfTheGroupHolds(_ group: String) throws {
        let claims = try lines(["list", group]).lines
        #expect(!claims.isEmpty)
        for (number, claim) in claims.enumerated() {
            let (lines, endedWell) = try lines(["run", group, "\(number)"])
            if !endedWell { Issue.record("\(group) \(number), \(claim): \(lines.suffix(6).joined(separator: "\n"))") }
        }
    }

    private func lines(_ arguments: [String]) throws -> (lines: [String], endedWell: Bool) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("idioms-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let environment = ["COREDATA_CONCURRENCY_DEBUG": "", "TMPDIR": folder.path, "HOME": folder.path]
        return try ChildProcess(arguments, of: "Idioms", environment: environment, includesErrors: true)
            .finish(within: 60)
    }
}
