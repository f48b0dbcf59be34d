import CoreData

/// The journal's stack.
public final class JournalStore {
    /// The container, loaded.
    public let container: NSPersistentContainer

    /// Opens the journal in a file, or makes it.
    public init(url: URL) throws {
        guard let modelURL = Bundle.module.url(forResource: "Journal", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: modelURL)
        else { throw CocoaError(.fileNoSuchFile) }
        container = NSPersistentContainer(name: "Journal", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
    }

    /// The notes of a diary that mention a word, the newest first.
    public func notes(in diary: Diary, mentioning word: String) throws -> [Note] {
        let request: NSFetchRequest<Note> = Note.fetchRequest()
        request.predicate = NSPredicate(format: "diary == %@ AND text CONTAINS[cd] %@", diary, word)
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.createdAt, ascending: false)]
        return try container.viewContext.fetch(request)
    }
}
