import CoreData
import Foundation

/// Saves that depend on each other, so that a part of one would show.
///
/// Save `n` makes three books titled `n-0`, `n-1` and `n-2` of the genre `even` or `odd`, gives them to the one author,
/// whose portrait then says `n`, and sets the copies of the books of save `n - 1` to `n`.
///
/// With everything on, the portrait is so long that it's kept in a file of its own, the store keeps history, and its
/// metadata say the number of the save as well.
struct Batches {
    let container: NSPersistentContainer
    let portraitLength: Int

    init(_ url: URL, model: NSManagedObjectModel, withEverything: Bool) throws {
        portraitLength = withEverything ? 120_000 : 0
        if withEverything {
            model.entitiesByName["Author"]?.attributesByName["portrait"]?.allowsExternalBinaryDataStorage = true
        }
        container = try StackOpening.container(url, model: model, tracksHistory: withEverything)
    }

    func run(from first: Int) throws {
        let context = container.newBackgroundContext()
        for number in first...Int.max {
            try context.performAndWait { try save(number, in: context) }
            Output.line("\(number)")
        }
    }

    /// Makes one save, and prints its number or the error that ends it.
    func run(only number: Int) {
        let context = container.newBackgroundContext()
        do {
            try context.performAndWait { try save(number, in: context) }
            Output.line("\(number)")
        } catch {
            Output.line("error \((error as NSError).code)")
        }
    }

    /// Closes the store, as the end of a program does.
    func close() throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private func save(_ number: Int, in context: NSManagedObjectContext) throws {
        let author = try object("Author", named: "The Author", in: context)
        let genre = try object("Genre", named: number.isMultiple(of: 2) ? "even" : "odd", in: context)
        let text = Data("\(number)".utf8)
        let padding = Data(repeating: UInt8(ascii: " "), count: max(0, portraitLength - text.count))
        author.setValue(text + padding, forKey: "portrait")
        for place in 0..<3 {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("\(number)-\(place)", forKey: "title")
            book.setValue(UUID(), forKey: "identifier")
            book.setValue(author, forKey: "author")
            book.mutableSetValue(forKey: "genres").add(genre)
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "title BEGINSWITH %@", "\(number - 1)-")
        for book in try context.fetch(request) { book.setValue(number, forKey: "copies") }
        if portraitLength > 0, let store = container.persistentStoreCoordinator.persistentStores.first {
            var metadata = container.persistentStoreCoordinator.metadata(for: store)
            metadata["save"] = number
            container.persistentStoreCoordinator.setMetadata(metadata, for: store)
        }
        try context.save()
    }

    private func object(_ entity: String, named name: String, in context: NSManagedObjectContext) throws
        -> NSManagedObject
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        if let found = try context.fetch(request).first { return found }
        let made = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        made.setValue(name, forKey: "name")
        return made
    }
}
