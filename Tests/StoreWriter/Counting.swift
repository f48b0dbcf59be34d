import CoreData
import Foundation

/// Threads that all count up in the copies of one book, and add a genre each time.
///
/// Each has a context of its own; a save that meets another's is a conflict, after which the thread tries again with what is
/// there then. So the number of copies is the sum of what the threads have counted, unless a save gets lost.
struct Counting {
    private let container: NSPersistentContainer
    private let writers: Int
    private let end: Date

    init(_ url: URL, model: NSManagedObjectModel, writers: Int, seconds: Double) throws {
        container = try StackOpening.container(url, model: model, tracksHistory: true)
        self.writers = writers
        end = Date(timeIntervalSinceNow: seconds)
    }

    /// Prints how often each thread counted.
    func run() { WriterThreads.run(writers) { try count($0) } }

    private func count(_ writer: Int) throws -> Int {
        let context = container.newBackgroundContext()
        var counted = 0
        while Date() < end {
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.shouldRefreshRefetchedObjects = true
                guard let book = try context.fetch(request).first else { return }
                book.setValue((book.value(forKey: "pages") as? Int ?? 0) + 1, forKey: "pages")
                let genre = NSEntityDescription.insertNewObject(forEntityName: "Genre", into: context)
                genre.setValue("\(getpid())-\(writer)-\(counted)", forKey: "name")
                do {
                    try context.save()
                    counted += 1
                } catch let error as NSError where error.code == NSManagedObjectMergeError {
                    context.reset()
                }
            }
        }
        return counted
    }
}
