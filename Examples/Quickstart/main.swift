import CoreData

// A store that an iPhone or a Mac wrote, opened through the model that it carries.
let url = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "Library.sqlite")
let model = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: url, ofType: NSSQLiteStoreType)
let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
container.loadPersistentStores { _, error in
    if let error { fatalError("Can't open the library: \(error)") }
}
let context = container.viewContext

// Which of Jules Verne's books are long? Oldest first.
let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
request.predicate = NSPredicate(format: "author.name == %@ AND pages > %d", "Jules Verne", 200)
request.sortDescriptors = [NSSortDescriptor(key: "published", ascending: true)]
for book in try context.fetch(request) {
    print(book.value(forKey: "title") as? String ?? "?", book.value(forKey: "pages") as? Int ?? 0)
}

// A new book, of an author that is already there; the author's books know it at once.
let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
authors.predicate = NSPredicate(format: "name BEGINSWITH[cd] %@", "selma")
let author = try context.fetch(authors).first
let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
book.setValue("Jerusalem", forKey: "title")
book.setValue(UUID(), forKey: "identifier")
book.setValue(author, forKey: "author")
try context.save()
print(book.objectID.uriRepresentation())
