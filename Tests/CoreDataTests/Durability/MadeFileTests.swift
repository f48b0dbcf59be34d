import CoreData
import Foundation
import Testing

@Suite(
    "Files that are made", .enabled(if: FailingDisk.canBeBuilt, "there is no clang to build the failing disk with"))
struct MadeFileTests {
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    private static func makePrivate(_ folder: URL) throws {
        let enumerator = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        while let url = enumerator?.nextObject() as? URL {
            let isFolder = try url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            try FileManager.default.setAttributes(
                [.posixPermissions: isFolder ? 0o700 : 0o600], ofItemAtPath: url.path)
        }
    }

    /// What a process does with a store of mode 0600.
    private static func operations(
        _ store: URL, recording folder: URL, _ arguments: [String]
    ) throws -> [FailingDisk.Operation] {
        try makePrivate(store.deletingLastPathComponent())
        let logs = try TemporaryFolder()
        let log = logs.url.appendingPathComponent("log")
        let child = try ChildProcess(
            arguments, environment: FailingDisk.environment(folder, failingAt: 0, log: log))
        let outcome = child.finish(within: 120)
        #expect(outcome.lines.last == "end", "\(outcome.lines)")
        return try FailingDisk.operations(in: log)
    }

    /// Nobody else can reach what is made, or what a file becomes: by its own mode, or by that of a folder that was made for it.
    private static func expectPrivate(_ operations: [FailingDisk.Operation]) {
        func isPrivate(_ operation: FailingDisk.Operation) -> Bool { (operation.mode ?? 0) & 0o077 == 0 }
        var folders: [String] = []
        for operation in operations {
            if operation.isMaking {
                let isInside = folders.contains { operation.path.hasPrefix($0) }
                #expect(isInside || isPrivate(operation), "\(operation.name) \(operation.path)")
                if isPrivate(operation) { folders.append(operation.path + "/") }
            } else if operation.mode != nil {
                #expect(isPrivate(operation), "\(operation.name) \(operation.path)")
            }
        }
        #expect(!folders.isEmpty)
    }

    /// What gets the name of another file is on the disk before that, and the name after it.
    private static func expectWrittenThrough(_ operations: [FailingDisk.Operation]) {
        var renames = 0
        for (place, operation) in operations.enumerated() where operation.name == "rename" {
            renames += 1
            // Nothing comes before the rename of a file that isn't there.
            guard place > 0, operations[place - 1].name.hasPrefix("from-") else { continue }
            let source = operations[place - 1].path
            func isOf(_ path: String) -> Bool { path == source || path.hasPrefix(source + "/") }
            let before = operations[..<place]
            for path in Set(before.filter { $0.isWrite && isOf($0.path) }.map(\.path)) where !path.hasSuffix("-shm") {
                // A log that has gone by now is in the file.
                if before.contains(where: { $0.name == "unlink" && $0.path == path }) { continue }
                let written = before.lastIndex { $0.isWrite && $0.path == path } ?? 0
                #expect(
                    before[written...].contains { $0.name == "fsync" && $0.path == path },
                    "\(path) as \(operation.path)")
            }
            let parent = (operation.path as NSString).deletingLastPathComponent
            #expect(
                operations[place...].contains { $0.name == "fsync" && $0.path == parent }, "the name \(operation.path)")
        }
        #expect(renames > 0)
    }

    private func place(in folder: TemporaryFolder) throws -> URL {
        let place = folder.url.appendingPathComponent("stores")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        return place.appendingPathComponent("Library")
    }

    @Test(
        "beside a store of mode 0600 are never wider readable, and are on the disk before they get a name",
        arguments: types)
    func administration(type: String) throws {
        let folder = try TemporaryFolder()
        let url = try place(in: folder)
        let arguments = [
            "administer", url.path,
            Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path, type,
        ]
        #expect(try ChildProcess(arguments).finish(within: 120).lines.last == "end")
        let place = url.deletingLastPathComponent()
        for name in try FileManager.default.contentsOfDirectory(atPath: place.path) where name.contains("Library-") {
            try FileManager.default.removeItem(at: place.appendingPathComponent(name))
        }
        let operations = try Self.operations(url, recording: folder.url, arguments)
        Self.expectPrivate(operations)
        Self.expectWrittenThrough(operations)
    }

    @Test("by a migration of a store of mode 0600 are as private, and on the disk", arguments: ["place", "manager"])
    func migration(way: String) throws {
        let folder = try TemporaryFolder()
        let url = try place(in: folder)
        try MigrationLibrary.makeStore(at: url, authors: 3)
        let files = try [Library.model(), MigrationLibrary.nextModel()].enumerated().map { number, model in
            let file = folder.url.appendingPathComponent("\(number).mom")
            try model.archivedData().write(to: file)
            return file.path
        }
        let operations = try Self.operations(
            url, recording: folder.url, ["migrate", url.path, files[0], files[1], way])
        Self.expectPrivate(operations)
        if way == "manager" { Self.expectWrittenThrough(operations) }
    }
}
