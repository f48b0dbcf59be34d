import CoreData
import Foundation
import Testing

final class CastPerson: NSManagedObject {
    var name: String? {
        get { value(forKey: "name") as? String }
        set { setValue(newValue, forKey: "name") }
    }
}

@Suite("A fetch request that is cast to one for other results")
struct RequestCastTests {
    private static func stack() throws -> NSPersistentContainer {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        let person = NSEntityDescription()
        person.name = "CastPerson"
        person.managedObjectClassName = NSStringFromClass(CastPerson.self)
        person.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [person]
        let container = NSPersistentContainer(name: "Casts", managedObjectModel: model)
        let description = NSPersistentStoreDescription()
        description.url = URL(fileURLWithPath: "/dev/null")
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private static func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
        let container = try stack()
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for number in 0..<3 {
                let person = NSEntityDescription.insertNewObject(forEntityName: "CastPerson", into: context)
                person.setValue("\(number)", forKey: "name")
            }
            try context.save()
            try body(context)
        }
    }

    private static func request() -> NSFetchRequest<CastPerson> {
        let request = NSFetchRequest<CastPerson>(entityName: "CastPerson")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return request
    }

    @Test func isOneWithTheOriginal() {
        let typed = Self.request()
        let erased = NSFetchRequest<any NSFetchRequestResult>.cast(typed)
        erased.fetchLimit = 2
        #expect(typed.fetchLimit == 2)
        typed.predicate = NSPredicate(value: false)
        #expect(erased.predicate == NSPredicate(value: false))
        #expect(erased == typed)
        #expect(NSFetchRequest<CastPerson>.cast(erased) === typed)
        #expect(NSFetchRequest<any NSFetchRequestResult>.cast(typed) === erased)
        #expect(NSFetchRequest<CastPerson>.cast(typed) === typed)
        let copy = erased.copy() as! NSFetchRequest<any NSFetchRequestResult>
        copy.fetchLimit = 1
        #expect(typed.fetchLimit == 2)
    }

    @Test func fetchesInEveryForm() throws {
        try Self.withContext { context throws in
            let typed = Self.request()
            let erased = NSFetchRequest<any NSFetchRequestResult>.cast(typed)
            #expect(try context.fetch(erased).map { ($0 as! CastPerson).name } == ["0", "1", "2"])
            #expect(try context.count(for: erased) == 3)
            let plain = NSFetchRequest<NSManagedObject>.cast(erased)
            #expect(try context.fetch(plain).map { $0.value(forKey: "name") as? String } == ["0", "1", "2"])
            let back = NSFetchRequest<CastPerson>.cast(plain)
            #expect(try context.fetch(back).map(\.name) == ["0", "1", "2"])

            let ids = NSFetchRequest<NSManagedObjectID>.cast(erased.copy())
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(ids).count == 3)
            let dictionaries = NSFetchRequest<NSDictionary>.cast(erased.copy())
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name"]
            #expect(try context.fetch(dictionaries).map { $0["name"] as? String } == ["0", "1", "2"])
            let counts = NSFetchRequest<NSNumber>.cast(erased.copy())
            counts.resultType = .countResultType
            #expect(try context.fetch(counts).first?.intValue == 3)
        }
    }

    @Test func servesControllersBatchesAndAsynchronousFetches() throws {
        try Self.withContext { context throws in
            let erased = NSFetchRequest<any NSFetchRequestResult>.cast(Self.request())
            let controller = NSFetchedResultsController<any NSFetchRequestResult>(
                fetchRequest: erased, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == 3)
            let typed = NSFetchedResultsController<CastPerson>(
                fetchRequest: NSFetchRequest<CastPerson>.cast(erased), managedObjectContext: context,
                sectionNameKeyPath: nil, cacheName: nil)
            try typed.performFetch()
            #expect(typed.fetchedObjects?.map(\.name) == ["0", "1", "2"])

            let asynchronous = NSAsynchronousFetchRequest<any NSFetchRequestResult>(fetchRequest: erased)
            let result = try context.execute(asynchronous) as? NSAsynchronousFetchResult<any NSFetchRequestResult>
            #expect(result != nil)

            let deletion = NSBatchDeleteRequest(fetchRequest: erased)
            _ = try context.execute(deletion)
            #expect(try context.count(for: Self.request()) == 0)
        }
    }

    @Test("is cast on many threads at once")
    func threads() throws {
        for _ in 0..<50 {
            let request = NSFetchRequest<CastPerson>(entityName: "CastPerson")
            nonisolated(unsafe) let shared = request
            DispatchQueue.concurrentPerform(iterations: 16) { number in
                let view = NSFetchRequest<any NSFetchRequestResult>.cast(shared)
                let other = NSFetchRequest<NSManagedObject>.castIfRequest(shared)
                if number % 2 == 0 { _ = NSFetchRequest<NSDictionary>.cast(view) }
                precondition(view.entityName == "CastPerson" && other?.entityName == "CastPerson")
            }
            #expect(NSFetchRequest<CastPerson>.cast(NSFetchRequest<NSManagedObject>.cast(request)) === request)
        }
    }
}
