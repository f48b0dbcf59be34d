import CoreData
import Foundation
import Testing

@Suite("A store with encrypted values in an SQLite file of its own")
struct EncryptedStoreTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("secret.sqlite") }

    init() throws {
        folder = try TemporaryFolder()
        NSPersistentStoreCoordinator.registerStoreClass(
            EncryptedStore.self, type: NSPersistentStore.StoreType(rawValue: EncryptedStore.storeType))
    }

    private func open(
        _ passphrase: String? = "open sesame", _ model: NSManagedObjectModel? = nil, migrating: Bool = true
    )
        throws -> NSManagedObjectContext
    {
        let container = NSPersistentContainer(
            name: "Library", managedObjectModel: try model ?? WarehouseStack.model())
        let description = NSPersistentStoreDescription(url: url)
        description.type = EncryptedStore.storeType
        description.shouldMigrateStoreAutomatically = migrating
        if let passphrase { description.setOption(passphrase as NSString, forKey: EncryptedStore.passphraseKey) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container.newThreadContext()
    }

    private func makeLibrary() throws {
        let context = try open()
        let author = context.make("Author", ["name": "Ursula"])
        context.make("Book", ["title": "Tehanu", "pages": 226, "author": author])
        context.make("Book", ["title": "Rocannon", "pages": 117, "author": author])
        try context.save()
    }

    @Test("What was saved is there again, and nobody can read it in the file")
    func roundTrip() throws {
        try makeLibrary()
        let context = try open()
        let books = try context.all("Book", "author.name == 'Ursula' AND pages < 200")
        #expect(books.map { $0.text("title") } == ["Rocannon"])
        #expect((books[0].value(forKey: "author") as? NSManagedObject)?.titles("books") == ["Tehanu", "Rocannon"])
        let bytes = try Data(contentsOf: url)
        for secret in ["Tehanu", "Ursula", "Rocannon", "pages"] { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
    }

    @Test("Without the passphrase, or with another, the store isn't opened")
    func passphrase() throws {
        try makeLibrary()
        for passphrase in [nil, "open barley"] {
            let error = #expect(throws: NSError.self) { try open(passphrase) }
            #expect(error?.localizedDescription.lowercased().contains("passphrase") == true)
        }
    }

    @Test("A store may migrate itself while it loads its metadata, and is refused where that isn't asked for")
    func ownMigration() throws {
        try makeLibrary()
        func next() throws -> NSManagedObjectModel {
            let model = try WarehouseStack.model()
            let subtitle = NSAttributeDescription()
            subtitle.name = "subtitle"
            subtitle.attributeType = .stringAttributeType
            subtitle.isOptional = true
            model.entitiesByName["Genre"]?.properties.append(subtitle)
            return model
        }
        let error = #expect(throws: NSError.self) { try open("open sesame", next(), migrating: false) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        let context = try open("open sesame", next())
        #expect(try context.all("Book", sort: "title").map { $0.text("title") } == ["Rocannon", "Tehanu"])
        context.make("Genre", ["name": "SF", "subtitle": "Science Fiction"])
        try context.save()
        let again = try open("open sesame", next(), migrating: false)
        #expect(try again.all("Genre").first?.text("subtitle") == "Science Fiction")
    }

    @Test("Changes, deletions and conflicts of two programs")
    func conflicts() throws {
        try makeLibrary()
        let (mine, theirs) = (try open(), try open())
        let book = try #require(mine.all("Book", "title == 'Tehanu'").first)
        book.setValue("Mine", forKey: "title")
        try theirs.all("Book", "title == 'Tehanu'").first?.setValue(1, forKey: "pages")
        try theirs.save()
        #expect(throws: NSError.self) { try mine.save() }
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try mine.save()
        #expect(try open().all("Book", "title == 'Mine' AND pages == 1").count == 1)
        for book in try mine.all("Book") { mine.delete(book) }
        try mine.save()
        #expect(try open().all("Book").isEmpty)
    }
}
