import CoreData
import Foundation

/// Threads that all insert genres of the same few names, which have to be unique, each with a book of its own.
///
/// The policy makes one genre of those with one name, so that no save fails, and each book has the genre in the end.
struct Claiming {
    private static let names = (0..<12).map { "Genre \($0)" }

    private let container: NSPersistentContainer
    private let writers: Int
    private let end: Date

    init(_ url: URL, model: NSManagedObjectModel, writers: Int, seconds: Double) throws {
        container = try StackOpening.container(url, model: model, tracksHistory: true)
        self.writers = writers
        end = Date(timeIntervalSinceNow: seconds)
    }

    /// Prints how many books each thread saved.
    func run() { WriterThreads.run(writers) { try claim($0) } }

    private func claim(_ writer: Int) throws -> Int {
        var saved = 0
        while Date() < end {
            // Now and then a context that knows the genres already, and in between one that knows nothing.
            let context = container.newBackgroundContext()
            context.mergePolicy =
                writer.isMultiple(of: 2)
                ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.mergeByPropertyStoreTrump
            try context.performAndWait {
                for _ in 0..<5 {
                    let genre = NSEntityDescription.insertNewObject(forEntityName: "Genre", into: context)
                    genre.setValue(Self.names.randomElement(), forKey: "name")
                    let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                    book.setValue("\(getpid())-\(writer)-\(saved)", forKey: "title")
                    book.setValue(UUID(), forKey: "identifier")
                    book.setValue(Set([genre]), forKey: "genres")
                    try context.save()
                    saved += 1
                }
            }
        }
        return saved
    }
}
