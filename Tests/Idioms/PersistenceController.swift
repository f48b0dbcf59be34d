import CoreData

/// What Xcode's template for new projects writes, over the second model of the program.
struct PersistenceController {
    static let shared = PersistenceController()

    static var preview: PersistenceController = {
        let result = PersistenceController(inMemory: true)
        let viewContext = result.container.viewContext
        for index in 0..<10 {
            let newItem = Book(context: viewContext)
            newItem.title = "Book \(index)"
            newItem.publishedAt = Date()
        }
        do {
            try viewContext.save()
        } catch {
            let nsError = error as NSError
            fatalError("Unresolved error \(nsError), \(nsError.userInfo)")
        }
        return result
    }()

    let container: NSPersistentContainer

    init(inMemory: Bool = false) {
        container = NSPersistentContainer(name: "Library")
        if inMemory {
            container.persistentStoreDescriptions.first!.url = URL(fileURLWithPath: "/dev/null")
        }
        container.loadPersistentStores(completionHandler: { (storeDescription, error) in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        })
        container.viewContext.automaticallyMergesChangesFromParent = true
    }
}

/// Written by hand; Xcode adds the properties in an extension ("Category/Extension").
public class Author: NSManagedObject {
    convenience init(_ name: String, in context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
    }

    var sortedBooks: [Book] {
        let set = books as? Set<Book> ?? []
        return set.sorted { $0.title! < $1.title! }
    }
}

extension Book {
    static func make(_ title: String, pages: Int32 = 100, by author: Author? = nil, in context: NSManagedObjectContext)
        -> Book
    {
        let book = Book(context: context)
        book.title = title
        book.pages = pages
        book.author = author
        return book
    }
}
