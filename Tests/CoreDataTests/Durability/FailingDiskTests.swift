import CoreData
import Foundation
import Testing

@Suite("A disk that fails", .enabled(if: FailingDisk.canBeBuilt, "there is no clang to build the failing disk with"))
struct FailingDiskTests {
    /// Every operation of a save and of a migration with `COREDATA_FULL_TESTS`; otherwise so many of each, spread over all.
    private static let sample = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == nil ? 8 : Int.max
    private static let modelPath =
        Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path

    private func numbers(upTo count: Int) -> [Int] {
        if count <= Self.sample { return Array(1...max(1, count)) }
        return (0..<Self.sample).map { 1 + $0 * (count - 1) / (Self.sample - 1) }
    }

    private func copyFolder(_ template: URL, _ name: String) throws -> URL {
        let folder = template.deletingLastPathComponent().appendingPathComponent(name)
        try FileManager.default.copyItem(at: template, to: folder)
        return folder
    }

    /// What the store holds: the number of saves, after a check that it is whole.
    private func saves(in folder: URL, _ comment: Comment) throws -> Int {
        let url = folder.appendingPathComponent("Library.sqlite")
        let stack = try StoreStack(url, model: Library.model(withFiles: true))
        defer { try? stack.close() }
        let authors = try stack.context.all("Author")
        let count = try stack.context.all("Book").count
        #expect(count.isMultiple(of: 3), comment)
        let number = count / 3
        let portrait = authors.first?.value(forKey: "portrait") as? Data
        #expect(portrait?.count == (number > 0 ? 120_000 : nil), comment)
        #expect(
            portrait.map { String(decoding: $0.prefix(3), as: UTF8.self).trimmingCharacters(in: .whitespaces) }
                == (number > 0 ? "\(number)" : nil), comment)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(metadata["save"] as? Int ?? 0 == number, comment)
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]], comment)
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ATRANSACTION", in: url) == [["\(number)"]], comment)
        return number
    }

    @Test(
        "A save is there as a whole, or not at all and an error, at whichever operation it fails",
        arguments: [false, true])
    func saving(forever: Bool) throws {
        let folder = try TemporaryFolder()
        let template = folder.url.appendingPathComponent("template")
        try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
        for number in 1...2 {
            let child = try ChildProcess(
                ["save-once", template.appendingPathComponent("Library.sqlite").path, Self.modelPath, "\(number)"])
            #expect(child.finish(within: 120).lines == ["\(number)"])
        }
        func save(in folder: URL, failingAt number: Int, log: URL? = nil) throws -> [String] {
            let environment = FailingDisk.environment(folder, failingAt: number, forever: forever, log: log)
            let child = try ChildProcess(
                ["save-once", folder.appendingPathComponent("Library.sqlite").path, Self.modelPath, "3"],
                environment: environment)
            return child.finish(within: 120).lines
        }
        let log = folder.url.appendingPathComponent("log")
        #expect(try save(in: copyFolder(template, "whole"), failingAt: 0, log: log) == ["3"])
        let count = try FailingDisk.operations(in: log).filter(\.canFail).count
        #expect(count > 5)
        var outcomes = [0, 0]
        for number in numbers(upTo: count) {
            let place = try copyFolder(template, "at\(number)")
            let lines = try save(in: place, failingAt: number)
            let found = try saves(in: place, "operation \(number) of \(count): \(lines)")
            #expect(found == 2 || found == 3, "operation \(number) of \(count)")
            // What was said to be saved is; what was said to have failed isn't.
            #expect(lines.contains("3") == (found == 3), "operation \(number) of \(count): \(lines)")
            outcomes[found - 2] += 1
            try FileManager.default.removeItem(at: place)
        }
        print(
            "Failing disk, \(count) operations of a save\(forever ? ", for good" : ""): old \(outcomes[0]), new \(outcomes[1])"
        )
    }

    @Test("A migration leaves the old store or the new one", arguments: ["place", "manager"])
    func migrating(way: String) throws {
        let folder = try TemporaryFolder()
        let template = folder.url.appendingPathComponent("template")
        try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
        try MigrationLibrary.makeStore(at: template.appendingPathComponent("Library.sqlite"), authors: 30)
        let models = [try Library.model(), try MigrationLibrary.nextModel()]
        let files = try models.enumerated().map { number, model in
            let file = folder.url.appendingPathComponent("\(number).mom")
            try model.archivedData().write(to: file)
            return file.path
        }
        func migrate(in folder: URL, failingAt number: Int, log: URL? = nil) throws -> Bool {
            let environment = FailingDisk.environment(folder, failingAt: number, log: log)
            let child = try ChildProcess(
                ["migrate", folder.appendingPathComponent("Library.sqlite").path, files[0], files[1], way],
                environment: environment)
            return child.finish(within: 120).endedWell
        }
        let log = folder.url.appendingPathComponent("log")
        #expect(try migrate(in: copyFolder(template, "whole"), failingAt: 0, log: log))
        let count = try FailingDisk.operations(in: log).filter(\.canFail).count
        var outcomes = [0, 0]
        for number in numbers(upTo: count) {
            let place = try copyFolder(template, "at\(number)")
            let endedWell = try migrate(in: place, failingAt: number)
            let url = place.appendingPathComponent("Library.sqlite")
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url)
            let version = models.firstIndex { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }
            let found = try #require(version, "operation \(number) of \(count)")
            #expect(!endedWell || found == 1, "operation \(number) of \(count)")
            #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]], "operation \(number)")
            let table = found == 0 ? "ZAUTHOR" : "ZWRITER"
            #expect(
                try PlainSQLite.rows("SELECT (SELECT COUNT(*) FROM \(table)), (SELECT COUNT(*) FROM ZBOOK)", in: url)
                    == [["30", "90"]], "operation \(number) of \(count)")
            outcomes[found] += 1
            try FileManager.default.removeItem(at: place)
        }
        print("Failing disk, \(count) operations of a migration (\(way)): old \(outcomes[0]), new \(outcomes[1])")
    }

    @Test("What rows name is on the disk before them, and goes only once they have gone")
    func order() throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("store")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let store = place.appendingPathComponent("Library.sqlite")
        let log = folder.url.appendingPathComponent("log")
        for number in 1...2 {
            try? FileManager.default.removeItem(at: log)
            let child = try ChildProcess(
                ["save-once", store.path, Self.modelPath, "\(number)"],
                environment: FailingDisk.environment(place, failingAt: 0, log: log))
            #expect(child.finish(within: 120).lines == ["\(number)"])
            let operations = try FailingDisk.operations(in: log)
            let data = "_EXTERNAL_DATA"
            // The file, then its folder, then the rows: the last pages of the log, which hold the commit.
            let file = try #require(operations.firstIndex { $0.name == "fsync" && $0.path.contains(data + "/") })
            let names = try #require(operations.firstIndex { $0.name == "fsync" && $0.path.hasSuffix(data) })
            let rows = try #require(
                operations.indices.dropFirst(names).first {
                    operations[$0].name == "pwrite" && operations[$0].path.hasSuffix("Library.sqlite-wal")
                })
            #expect(file < names && names < rows)
            guard number == 2 else { continue }
            let gone = try #require(
                operations.firstIndex { $0.name == "unlink" && $0.path.contains(data + "/") })
            let log = try #require(
                operations.indices.dropFirst(rows).first {
                    operations[$0].name == "fsync" && operations[$0].path.hasSuffix("Library.sqlite-wal")
                })
            #expect(log < gone)
        }
    }

    @Test(
        "A store that is written as a whole is on the disk under its name",
        arguments: [NSXMLStoreType, NSBinaryStoreType])
    func renamed(type: String) throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appendingPathComponent("store")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        // Outside of what is recorded, which includes the store's folder itself.
        let logs = try TemporaryFolder()
        let log = logs.url.appendingPathComponent("log")
        let child = try ChildProcess(
            ["save-atomic", place.appendingPathComponent("Library").path, Self.modelPath, type],
            environment: FailingDisk.environment(folder.url, failingAt: 0, log: log))
        #expect(child.finish(within: 120).endedWell)
        let operations = try FailingDisk.operations(in: log)
        let written = try #require(operations.firstIndex { $0.name == "fsync" })
        let renamed = try #require(operations.firstIndex { $0.name == "rename" })
        let folderWritten = try #require(operations.lastIndex { $0.name == "fsync" && $0.path.hasSuffix("/store") })
        #expect(written < renamed && renamed < folderWritten)
    }
}
