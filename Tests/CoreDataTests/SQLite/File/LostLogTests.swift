import CoreData
import Foundation
import Testing

@Suite("A SQLite store whose log is removed or replaced while it is open")
struct LostLogTests {
    @Test(
        "refuses to write, as what it wrote would be gone with it", arguments: ["removed", "replaced"],
        ["-wal", "-shm"])
    func refused(way: String, file: String) throws {
        let stack = try TemporaryStack(model: Library.model())
        let context = stack.context()
        context.make("Author", ["name": "A"])
        try context.save()
        let log = URL(fileURLWithPath: stack.storeURL.path + file)
        let content = try Data(contentsOf: log)
        try FileManager.default.removeItem(at: log)
        if way == "replaced" { try content.write(to: log) }
        context.make("Author", ["name": "B"])
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.localizedDescription.contains("log was \(way)") ?? false, "\(String(describing: error))")
        #expect(throws: NSError.self) {
            try context.execute(NSBatchDeleteRequest(fetchRequest: .init(entityName: "Author")))
        }
        // What was saved is still there to be copied by the program.
        #expect(try stack.context().all("Author").map { $0.text("name") } == ["A"])
    }

    @Test("goes on where it only was emptied by a checkpoint of another program")
    func checkpoint() throws {
        let stack = try TemporaryStack(model: Library.model())
        let context = stack.context()
        for number in 0..<3 {
            context.make("Author", ["name": "\(number)"])
            try context.save()
            _ = try PlainSQLite.rows("PRAGMA wal_checkpoint(TRUNCATE)", in: stack.storeURL)
        }
        #expect(try stack.reopened().all("Author").count == 3)
    }
}
