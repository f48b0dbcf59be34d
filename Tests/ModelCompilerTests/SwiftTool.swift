import Foundation
import ModelCompiler
import TestSupport

/// Runs the Swift compiler over texts, in a folder that is gone afterwards.
struct SwiftTool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The symbols that the compiler leaves undefined in a module that consists of some texts.
    static func undefinedSymbols(of texts: [String: String], module: String) throws -> Set<String> {
        try inTemporaryFolder { folder in
            var arguments = [
                "swiftc", "-swift-version", "6", "-suppress-warnings", "-parse-as-library", "-module-name", module,
            ]
            for (name, text) in texts {
                let file = folder.appendingPathComponent(name)
                try text.write(to: file, atomically: true, encoding: .utf8)
                arguments.append(file.path)
            }
            let object = folder.appendingPathComponent("object.o")
            try run(arguments + ["-wmo", "-emit-object", "-o", object.path])
            let listing = try run(["nm", "-u", object.path])
            return Set(listing.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) })
        }
    }

    /// The modules of the package as the tests were built with them, where they can be found.
    static let modules: URL? = {
        let product = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let folder = product.appendingPathComponent("Modules")
        let isThere = FileManager.default.fileExists(atPath: folder.appendingPathComponent("CoreData.swiftmodule").path)
        return isThere ? folder : nil
    }()

    /// What the compiler says about texts that use the package's `CoreData`; nothing where they are right.
    static func typecheck(_ texts: [String: String], module: String, options: [String] = []) throws -> String {
        guard let modules else { return "There are no modules." }
        return try inTemporaryFolder { folder in
            let files = try write(texts, to: folder)
            return try run(
                ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name", module]
                    + options + searchPaths(modules) + files)
        }
    }

    /// Builds a program that uses the package's `CoreData` and another module, runs it with the name of a file that isn't
    /// there, and returns what it printed.
    static func run(
        _ texts: [String: String], module: String, library: [String: String], named libraryName: String
    ) throws -> String {
        guard let modules else { return "There are no modules." }
        return try inTemporaryFolder { folder in
            let files = try write(texts, to: folder)
            let libraryFolder = folder.appendingPathComponent(libraryName)
            try FileManager.default.createDirectory(at: libraryFolder, withIntermediateDirectories: true)
            let libraryObject = libraryFolder.appendingPathComponent("object.o").path
            let libraryMessages = try run(
                [
                    "swiftc", "-swift-version", "6", "-parse-as-library", "-wmo", "-module-name", libraryName,
                    "-emit-module", "-emit-module-path",
                    libraryFolder.appendingPathComponent("\(libraryName).swiftmodule").path, "-emit-object", "-o",
                    libraryObject,
                ] + searchPaths(modules) + write(library, to: libraryFolder))
            // What the tests are linked of, without themselves.
            let product = modules.deletingLastPathComponent()
            let list = product.appendingPathComponent("OpenCoreDataPackageTests.product/Objects.LinkFileList")
            let wanted = [
                "CoreData", "FoundationCompat", "ManagedObjectModel", "CSwiftRuntime", "CMetatypes", "GRDB", "Logging",
            ]
            let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
                .filter { object in wanted.contains { object.contains("/\($0).build/") } }
            let program = folder.appendingPathComponent(module)
            let messages = try run(
                ["swiftc", "-Onone", "-swift-version", "6", "-module-name", module, "-o", program.path]
                    + searchPaths(modules) + ["-I", libraryFolder.path] + files + [libraryObject] + objects
                    + ["-lsqlite3", "-lz"])
            return libraryMessages + messages
                + (try run([program.path, folder.appendingPathComponent("store.sqlite").path]))
        }
    }

    private static func write(_ texts: [String: String], to folder: URL) throws -> [String] {
        try texts.map { name, text in
            let file = folder.appendingPathComponent(name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
    }

    /// The arguments by which a compiler finds the package's modules.
    private static func searchPaths(_ modules: URL) throws -> [String] {
        let product = modules.deletingLastPathComponent()
        let checkouts = product.deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("checkouts/GRDB.swift/Sources/GRDBSQLite")
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var arguments = [
            "-I", modules.path, "-I", checkouts.path, "-I", package.appendingPathComponent("Sources/CZlib").path,
        ]
        // The package manager writes module maps for targets in C that have none, and once more for those that tools need.
        let folders = try FileManager.default.contentsOfDirectory(atPath: product.path)
        for name in folders where name.hasSuffix(".build") && !name.hasSuffix("-tool.build") {
            let map = product.appendingPathComponent(name).appendingPathComponent("module.modulemap")
            guard FileManager.default.fileExists(atPath: map.path) else { continue }
            arguments += ["-Xcc", "-fmodule-map-file=\(map.path)"]
        }
        return arguments
    }

    /// Runs a tool that is on the path, and returns what it printed.
    @discardableResult
    static func run(_ arguments: [String]) throws -> String {
        let run = try ProgramRun("env", arguments, mergesErrors: true)
        guard run.succeeded else { throw Failure(description: run.output) }
        return run.output
    }

    /// Runs something with a folder of its own.
    static func inTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }
}
