import CoreData
import Foundation
import Testing

@Suite("A store that hands back garbage gives an error, never a crash")
struct GarbageStoreTests {
    init() { NSPersistentStoreCoordinator.registerStoreClass(GarbageStore.self, forStoreType: GarbageStore.storeType) }

    private func model() throws -> NSManagedObjectModel {
        let model = try Library.model(for: GarbageStore.storeType)
        for property in model.entities.flatMap(\.properties) { property.isOptional = true }
        let thing = NSEntityDescription()
        thing.name = "Thing"
        thing.isAbstract = true
        model.entities.append(thing)
        return model
    }

    private func open(_ kind: GarbageStore.Kind) throws -> AtomicStack {
        try AtomicStack(
            nil, type: GarbageStore.storeType, model: model(), options: [GarbageStore.option: kind.rawValue])
    }

    /// Everything that may be asked of the objects.
    private func readEverything(_ context: NSManagedObjectContext) throws {
        try context.performAndWait { () throws -> Void in
            for entity in ["Author", "Book"] {
                for object in try context.all(entity) {
                    for key in object.entity.propertiesByName.keys { _ = object.value(forKey: key) }
                }
            }
            // What couldn't be read is thrown by the next save.
            context.make("Genre", ["name": "x"])
            try context.save()
        }
    }

    @Test("When it is opened or read", arguments: GarbageStore.Kind.allCases.filter { !$0.isInSave })
    func reading(kind: GarbageStore.Kind) throws {
        if kind == .metadataOfWrongTypes {
            // Type and hashes are made anew; nothing of the old ones could be used.
            let stack = try open(kind)
            #expect(stack.store.metadata[NSStoreTypeKey] as? String == GarbageStore.storeType)
            return try readEverything(stack.context)
        }
        let error = #expect(throws: NSError.self) { try readEverything(open(kind).context) }
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("store"), "\(text)")
    }

    @Test(
        "When predicates, sort keys and dictionaries meet it",
        arguments: GarbageStore.Kind.allCases.filter { !$0.isInSave })
    func querying(kind: GarbageStore.Kind) throws {
        guard let stack = try? open(kind) else { return }
        try stack.context.performAndWait { () throws -> Void in
            for (entity, format) in [
                ("Book", "author.name == 'Ursula'"), ("Book", "pages > 5"), ("Book", "title BEGINSWITH 'T'"),
                ("Author", "ANY books.title == 'Tehanu'"), ("Author", "books.@count > 0"),
                ("Author", "SUBQUERY(books, $b, $b.pages > 1).@count == 0"), ("Author", "books.@sum.pages > 1"),
            ] {
                // Either is right: what matters is that it comes back.
                _ = try? stack.context.all(entity, format, sort: entity == "Book" ? "author.name" : "name")
                let request = NSFetchRequest<NSDictionary>(entityName: entity)
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = entity == "Book" ? ["title", "pages", "author.name"] : ["name"]
                request.predicate = NSPredicate(format: format)
                _ = try? stack.context.fetch(request)
            }
            stack.context.reset()
            #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 1)
        }
    }

    @Test("When it is saved, and the save changes nothing", arguments: GarbageStore.Kind.allCases.filter(\.isInSave))
    func saving(kind: GarbageStore.Kind) throws {
        let stack = try open(kind)
        let store = try #require(stack.store as? NSAtomicStore)
        let nodes = store.cacheNodes()
        try stack.context.performAndWait { () throws -> Void in
            let book = stack.context.makeBook("New")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(error?.localizedDescription.contains("GarbageStore") == true)
            #expect(book.isInserted && book.objectID.isTemporaryID)
            #expect(store.cacheNodes() == nodes)
            #expect(try #require(stack.context.all("Author").first).titles("books") == ["Tehanu"])
        }
    }
}
