import CoreData
import Foundation
import Testing

@Suite("A disk without room")
struct FullDiskTests {
    private static let modelPath =
        Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path

    @Test(
        "a save that finds no room is an error, and the store keeps all saves before it", arguments: [300_000, 500_000])
    func limitedFiles(_ bytes: Int) throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Library.sqlite")
        var last = 0
        // The second time the store is already as large as it can be.
        for _ in 0..<2 {
            let child = try ChildProcess(["fill", store.path, Self.modelPath, "\(last + 1)", "\(bytes)"])
            let (lines, endedWell) = child.finish(within: 120)
            #expect(endedWell)
            #expect(lines.last?.hasPrefix("error ") == true)
            last = lines.compactMap { Int($0) }.last ?? last
            try check(store, saves: last)
        }
        #expect(last > 0)
        // With room again it goes on.
        let child = try ChildProcess(["save-all", store.path, Self.modelPath, "\(last + 1)"])
        let (lines, _) = child.finish(within: 2)
        #expect(lines.compactMap { Int($0) }.first == last + 1)
    }

    @Test(
        "the same on a file system that is full",
        .enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"))
    func smallDisk() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.url, kilobytes: 1024)
        defer { disk.remove() }
        let store = folder.url.appendingPathComponent("Library.sqlite")
        let stack = try StoreStack(store, model: Library.model(withFiles: true))
        var saved = 0
        var failure: NSError?
        while failure == nil, saved < 10_000 {
            let author = stack.context.make("Author", ["name": "Author \(saved)"])
            author.setValue(Data(repeating: 1, count: saved.isMultiple(of: 4) ? 110_000 : 20_000), forKey: "portrait")
            do {
                try stack.context.save()
                saved += 1
            } catch {
                failure = error as NSError
            }
        }
        let code = try #require(failure?.code)
        #expect(code == CocoaError.fileWriteOutOfSpace.rawValue)
        #expect(stack.context.insertedObjects.count == 1)
        stack.context.rollback()
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZAUTHOR", in: store) == [["\(saved)"]])
        let files = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA").path)
        #expect(files.count == (saved + 3) / 4)
        // What was there can be read, and room that is made can be used.
        let authors = try stack.context.all("Author", sort: "name")
        #expect(authors.allSatisfy { ($0.value(forKey: "portrait") as? Data)?.first == 1 })
        try disk.grow(toKilobytes: 4096)
        for author in authors { stack.context.delete(author) }
        try stack.context.save()
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: store) == [["ok"]])
        try stack.close()
    }

    @Test(
        "a store on a disk that can't be written is read, and saving is an error",
        .enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"))
    func readOnlyDisk() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.url, kilobytes: 4096)
        defer { disk.remove() }
        let url = folder.url.appendingPathComponent("Library.sqlite")
        let first = try StoreStack(url, model: Library.model())
        first.context.make("Author", ["name": "Ende"])
        try first.context.save()
        try first.close()
        try disk.makeReadOnly()
        let reader = try StoreStack(url, model: Library.model(), isReadOnly: true)
        #expect(try reader.context.all("Author").first?.text("name") == "Ende")
        reader.context.make("Author", ["name": "X"])
        #expect(thrownCode { try reader.context.save() } == CocoaError.fileWriteNoPermission.rawValue)
        try reader.close()
        #expect(
            thrownCode { _ = try StoreStack(url, model: Library.model()) } == CocoaError.fileWriteNoPermission.rawValue)
        #expect(
            thrownCode {
                _ = try StoreStack(folder.url.appendingPathComponent("New.sqlite"), model: Library.model())
            } != nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Library.sqlite"])
    }

    private func check(_ store: URL, saves: Int) throws {
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: store) == [["ok"]])
        #expect(
            try PlainSQLite.rows("SELECT (SELECT COUNT(*) FROM ZBOOK), (SELECT COUNT(*) FROM ATRANSACTION)", in: store)
                == [["\(saves * 3)", "\(saves)"]])
        let folder = store.deletingLastPathComponent().appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        #expect(files.count == min(saves, 1))
    }
}
