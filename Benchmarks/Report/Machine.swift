import Foundation
import GRDBSQLite

/// What the measurements were made on and with.
enum Machine {
    static var description: String {
        let parts = [
            "\(ProcessInfo.processInfo.activeProcessorCount) cores (\(processor))", system,
            firstLine(of: ["swift", "--version"]), "SQLite \(String(cString: sqlite3_libversion()))", recordLibrary,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }

    static var date: String { Date.now.formatted(.iso8601.year().month().day()) }

    private static var processor: String {
        field("model name", separator: ":", in: "/proc/cpuinfo") ?? "unknown processor"
    }

    private static var system: String? { field("PRETTY_NAME", separator: "=", in: "/etc/os-release") }

    /// GRDB's version, as the package was resolved.
    private static var recordLibrary: String? {
        struct Resolved: Decodable {
            struct Pin: Decodable {
                struct State: Decodable { var version: String? }
                var identity: String
                var state: State
            }
            var pins: [Pin]
        }
        guard let data = FileManager.default.contents(atPath: "Package.resolved"),
            let resolved = try? JSONDecoder().decode(Resolved.self, from: data)
        else { return nil }
        return resolved.pins.first { $0.identity == "grdb.swift" }?.state.version.map { "GRDB \($0)" }
    }

    private static func field(_ name: String, separator: Character, in file: String) -> String? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        for line in text.split(separator: "\n") where line.hasPrefix(name) {
            return line.split(separator: separator, maxSplits: 1).last
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"")) }
        }
        return nil
    }

    private static func firstLine(of command: [String]) -> String? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init)
    }
}
