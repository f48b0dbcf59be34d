import CoreData
import Foundation
import Testing

@Suite("A read-only store shows what others write meanwhile")
struct ReadOnlyStoreTests {
    private func titles(_ context: NSManagedObjectContext) throws -> Set<String> {
        Set(try context.all("Book").compactMap { $0.text("title") })
    }

    @Test(
        "Although nobody had the file open when it was opened",
        arguments: ["wal", "delete"], [true, false])
    func later(journalMode: String, closes: Bool) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        let options = [NSSQLitePragmasOption: ["journal_mode": journalMode] as NSDictionary]
        let first = try AtomicStack(url, type: NSSQLiteStoreType, options: options)
        first.context.makeBook("Emma")
        try first.context.save()
        try first.close()
        let reader = try StoreStack(url, model: Library.model(), isReadOnly: true)
        #expect(try titles(reader.context) == ["Emma"])
        for title in ["Persuasion", "Sanditon"] {
            let writer = try AtomicStack(url, type: NSSQLiteStoreType, options: options)
            // Enough for several pages, so that what is read without the locks would be torn.
            for number in 0..<300 { writer.context.makeBook("\(title) \(number)") }
            writer.context.makeBook(title)
            try writer.context.save()
            if closes { try writer.close() }
            #expect(try titles(reader.context).contains(title))
            #expect(try reader.context.all("Book", "title == '\(title)'").count == 1)
        }
        #expect(try titles(reader.context).count == 603)
    }
}
