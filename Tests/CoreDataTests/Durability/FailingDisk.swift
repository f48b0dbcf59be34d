import Foundation
import TestSupport

/// A disk that fails at a given operation, for child processes: `Scripts/failing-disk.c`, built once.
enum FailingDisk {
    private static let library: URL? = {
        let source = Library.packageRoot.appendingPathComponent("Scripts/failing-disk.c")
        let target = FileManager.default.temporaryDirectory.appendingPathComponent("failing-disk-\(getpid()).so")
        // Images with a Swift toolchain have its clang, and often no other compiler.
        let arguments = ["-shared", "-fPIC", "-O1", "-o", target.path, source.path, "-ldl"]
        guard let compiler = try? ProgramRun("clang", arguments), compiler.succeeded else { return nil }
        return target
    }()

    /// Whether there is a C compiler to build it with.
    static var canBeBuilt: Bool { library != nil }

    /// - Parameters:
    ///   - number: which operation on a file of the folder fails, from 1; 0 for none.
    ///   - log: gets a line for each operation.
    static func environment(_ folder: URL, failingAt number: Int, forever: Bool = false, log: URL? = nil) -> [String:
        String]
    {
        var environment = [
            "LD_PRELOAD": library?.path ?? "", "FAILING_DISK_FOLDER": folder.path + "/",
            "FAILING_DISK_AT": "\(number)",
        ]
        if forever { environment["FAILING_DISK_FOREVER"] = "1" }
        environment["FAILING_DISK_LOG"] = log?.path
        return environment
    }

    /// A line of a log.
    struct Operation {
        let name: String
        let path: String

        /// Whether it has a number, by which it can be made to fail.
        var canFail: Bool { name != "unlink" && mode == nil }
        /// Of what is made, the permissions that it was made with; of what then gets another name, those that it has.
        var mode: Int? { name.split(separator: "-").dropFirst().first.flatMap { Int($0, radix: 8) } }
        var isMaking: Bool { name.hasPrefix("make-") }
        var isWrite: Bool { ["write", "pwrite", "ftruncate"].contains(name) }
    }

    /// What a log says, in order.
    static func operations(in log: URL) throws -> [Operation] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return Operation(name: String(parts[0]), path: parts.count > 1 ? String(parts[1]) : "")
        }
    }
}
