import CoreData
import Foundation

/// A library with so many authors, each with some books in one genre of three, and a loan each.
struct LibraryOfMany {
    let stack: TemporaryStack
    let statements: StatementRecord
    let authorCount: Int

    init(authors authorCount: Int, booksEach: Int = 3) throws {
        statements = StatementRecord()
        stack = try TemporaryStack(observer: statements.observer)
        self.authorCount = authorCount
        let context = stack.context()
        let genres = ["Gothic", "Satire", "Travel"].map { context.make("Genre", ["name": $0]) }
        let member = context.make("Member", ["name": "Ada", "card": 1])
        for number in 0..<authorCount {
            let author = context.make("Author", ["name": "Author \(number)"])
            for place in 0..<booksEach {
                let book = context.makeBook("Book \(number)-\(place)", ["author": author, "pages": number + 1])
                book.setValue(Set([genres[place % 3]]), forKey: "genres")
                context.make("Loan", ["book": book, "member": member, "due": Date(), "lent": Date()])
            }
        }
        try context.save()
        _ = statements.takeQueries()
    }

    /// All authors in a context that has nothing yet.
    func authors(_ configure: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }) throws -> (
        [NSManagedObject], NSManagedObjectContext
    ) {
        try fetch("Author", sort: "name", configure)
    }

    func fetch(
        _ entity: String, sort: String, _ configure: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> ([NSManagedObject], NSManagedObjectContext) {
        let context = try stack.reopened()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: sort, ascending: true)]
        configure(request)
        _ = statements.takeQueries()
        return (try context.fetch(request), context)
    }
}
