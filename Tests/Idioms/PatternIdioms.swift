import CoreData

// What a well-known book builds over the framework: a protocol that gives classes their requests.
protocol Managed: AnyObject, NSFetchRequestResult {
    static var entity: NSEntityDescription { get }
    static var entityName: String { get }
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
    static var defaultPredicate: NSPredicate { get }
}

extension Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { [] }
    static var defaultPredicate: NSPredicate { NSPredicate(value: true) }

    static var sortedFetchRequest: NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        request.predicate = defaultPredicate
        return request
    }

    static func predicate(format: String, _ args: CVarArg...) -> NSPredicate {
        predicate(withVaList(args) { NSPredicate(format: format, arguments: $0) })
    }

    static func predicate(_ predicate: NSPredicate) -> NSPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [defaultPredicate, predicate])
    }
}

extension Managed where Self: NSManagedObject {
    static var entity: NSEntityDescription { entity() }
    static var entityName: String { entity.name! }

    static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
    ) -> Self {
        guard let object = findOrFetch(in: context, matching: predicate) else {
            let newObject: Self = context.insertObject()
            configure(newObject)
            return newObject
        }
        return object
    }

    static func findOrFetch(in context: NSManagedObjectContext, matching predicate: NSPredicate) -> Self? {
        guard let object = materializedObject(in: context, matching: predicate) else {
            return fetch(in: context) { request in
                request.predicate = predicate
                request.returnsObjectsAsFaults = false
                request.fetchLimit = 1
            }.first
        }
        return object
    }

    static func fetch(
        in context: NSManagedObjectContext, configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> [Self] {
        let request = NSFetchRequest<Self>(entityName: Self.entityName)
        configurationBlock(request)
        return try! context.fetch(request)
    }

    static func count(in context: NSManagedObjectContext, configure: (NSFetchRequest<Self>) -> Void = { _ in }) -> Int {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configure(request)
        return try! context.count(for: request)
    }

    static func materializedObject(in context: NSManagedObjectContext, matching predicate: NSPredicate) -> Self? {
        for object in context.registeredObjects where !object.isFault {
            guard let result = object as? Self, predicate.evaluate(with: result) else { continue }
            return result
        }
        return nil
    }
}

extension NSManagedObjectContext {
    func insertObject<A: NSManagedObject>() -> A where A: Managed {
        guard let obj = NSEntityDescription.insertNewObject(forEntityName: A.entityName, into: self) as? A else {
            fatalError("Wrong object type")
        }
        return obj
    }

    @discardableResult
    func saveOrRollback() -> Bool {
        do {
            try save()
            return true
        } catch {
            rollback()
            return false
        }
    }

    func performChanges(block: @escaping () -> Void) {
        perform {
            block()
            _ = self.saveOrRollback()
        }
    }
}

extension Person: Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { [NSSortDescriptor(key: #"name"#, ascending: true)] }
}

extension Todo: Managed {}

// A generic repository, as architects of apps like it.
protocol Repository {
    associatedtype Entity
    func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[Entity], Error>
    func create() -> Result<Entity, Error>
    func delete(entity: Entity) -> Result<Bool, Error>
}

final class CoreDataRepository<T: NSManagedObject>: Repository {
    enum RepositoryError: Error { case invalidManagedObjectType }

    typealias Entity = T
    private let managedObjectContext: NSManagedObjectContext

    init(managedObjectContext: NSManagedObjectContext) { self.managedObjectContext = managedObjectContext }

    func get(predicate: NSPredicate?, sortDescriptors: [NSSortDescriptor]?) -> Result<[Entity], Error> {
        let fetchRequest = Entity.fetchRequest()
        fetchRequest.predicate = predicate
        fetchRequest.sortDescriptors = sortDescriptors
        do {
            if let fetchResults = try managedObjectContext.fetch(fetchRequest) as? [Entity] {
                return .success(fetchResults)
            }
            return .failure(RepositoryError.invalidManagedObjectType)
        } catch {
            return .failure(error)
        }
    }

    func create() -> Result<Entity, Error> {
        let className = String(describing: Entity.self)
        guard
            let object = NSEntityDescription.insertNewObject(forEntityName: className, into: managedObjectContext)
                as? Entity
        else { return .failure(RepositoryError.invalidManagedObjectType) }
        return .success(object)
    }

    func delete(entity: Entity) -> Result<Bool, Error> {
        managedObjectContext.delete(entity)
        return .success(true)
    }
}

// Objects that are decoded from JSON into a context.
extension CodingUserInfoKey {
    static let managedObjectContext = CodingUserInfoKey(rawValue: "managedObjectContext")!
}

private struct PersonPayload: Decodable {
    let name: String
    let age: Int16
    let todos: [String]

    func insert(into context: NSManagedObjectContext) -> Person {
        let person = Person(context: context)
        person.name = name
        person.age = age
        for title in todos {
            let todo = Todo(context: context)
            todo.title = title
            todo.owner = person
        }
        return person
    }
}

@MainActor
func patternIdioms(_ suite: Suite) {
    suite("The book's protocol finds or makes objects") {
        let context = CoreDataStack().viewContext
        let first = Person.findOrCreate(in: context, matching: NSPredicate(format: "name == %@", "Ada")) {
            $0.name = "Ada"
        }
        let second = Person.findOrCreate(in: context, matching: NSPredicate(format: "name == %@", "Ada")) {
            $0.name = "Other"
        }
        try expect(first === second)
        try expect(context.saveOrRollback())
        try expect(Person.count(in: context), is: 1)
        try expect(try context.fetch(Person.sortedFetchRequest).map(\.name), is: ["Ada"])
    }

    suite("A registered object is found by a predicate in memory") {
        let context = CoreDataStack().viewContext
        let todo: Todo = context.insertObject()
        todo.priority = 7
        let found = Todo.materializedObject(in: context, matching: NSPredicate(format: "priority == %d", 7))
        try expect(found === todo)
    }

    suite("performChanges saves in the context's queue") {
        let stack = CoreDataStack()
        stack.viewContext.performChanges { Person(context: stack.viewContext).name = "Ada" }
        let deadline = Date().addingTimeInterval(5)
        while Person.count(in: stack.viewContext) == 0, Date() < deadline {
            RunLoop.main.run(until: Date().addingTimeInterval(0.01))
        }
        try expect(Person.count(in: stack.viewContext), is: 1)
        try expect(!stack.viewContext.hasChanges)
    }

    suite("saveOrRollback rolls back what can't be saved") {
        let context = CoreDataStack().viewContext
        _ = Department(context: context)
        try expect(!context.saveOrRollback())
        try expect(!context.hasChanges)
    }

    suite("A generic repository reads, makes and deletes") {
        let context = CoreDataStack().viewContext
        let repository = CoreDataRepository<Person>(managedObjectContext: context)
        let person = try repository.create().get()
        person.name = "Ada"
        try context.save()
        try expect(try repository.get(predicate: nil, sortDescriptors: nil).get().count, is: 1)
        _ = repository.delete(entity: person)
        try expect(try repository.get(predicate: nil, sortDescriptors: nil).get().count, is: 0)
    }

    suite("Decoded payloads become objects") {
        let context = CoreDataStack().viewContext
        let json = Data(#"[{"name": "Ada", "age": 36, "todos": ["write", "compute"]}]"#.utf8)
        let people = try JSONDecoder().decode([PersonPayload].self, from: json).map { $0.insert(into: context) }
        try context.save()
        try expect(people[0].todos?.count, is: 2)
        let decoder = JSONDecoder()
        decoder.userInfo[.managedObjectContext] = context
        try expect(decoder.userInfo[.managedObjectContext] as? NSManagedObjectContext === context)
    }

    suite("Find or create in bulk: one fetch with IN and a dictionary") {
        let context = CoreDataStack(inMemory: false).viewContext
        for name in ["a", "c"] { Person(context: context).name = name }
        try context.save()
        let wanted = ["a", "b", "c", "d"]
        let request = Person.fetchRequest()
        request.predicate = NSPredicate(format: "name IN %@", wanted)
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Person.name, ascending: true)]
        let existing = Dictionary(grouping: try context.fetch(request), by: { $0.name ?? "" })
        for name in wanted where existing[name] == nil { Person(context: context).name = name }
        try context.save()
        try expect(try context.count(for: Person.fetchRequest()), is: 4)
    }

    suite("An enum is kept as a raw value behind a computed property") {
        let context = CoreDataStack().viewContext
        let todo = Todo(context: context)
        todo.level = .high
        try expect(todo.priority, is: 3)
        try context.save()
        let request = NSFetchRequest<Todo>(entityName: "Todo")
        request.predicate = NSPredicate(format: "priority == %lld", Level.high.rawValue)
        try expect(try context.fetch(request).first?.level == .high)
        request.predicate = NSPredicate(format: "%K == %ld", "priority", Int(Level.high.rawValue))
        try expect(try context.count(for: request), is: 1)
    }

    suite("A closure-made container is a lazy property") {
        final class AppDelegate {
            lazy var persistentContainer: NSPersistentContainer = {
                let container = NSPersistentContainer(name: "Company")
                let description = NSPersistentStoreDescription()
                description.type = NSInMemoryStoreType
                description.shouldAddStoreAsynchronously = false
                container.persistentStoreDescriptions = [description]
                container.loadPersistentStores(completionHandler: { (storeDescription, error) in
                    precondition(storeDescription.type == NSInMemoryStoreType)
                    if let error = error as NSError? {
                        fatalError("Unresolved error \(error), \(error.userInfo)")
                    }
                })
                return container
            }()
        }
        let delegate = AppDelegate()
        let context = delegate.persistentContainer.viewContext
        Person(context: context).name = "Ada"
        try context.save()
        try expect(try context.count(for: Person.fetchRequest()), is: 1)
    }

    suite("The stack of before containers: model, coordinator, store, context") {
        let modelURL = Bundle.module.url(forResource: "Company", withExtension: "momd")!
        let model = NSManagedObjectModel(contentsOf: modelURL)!
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("Old.sqlite")
        let options = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        Person(context: context).name = "Ada"
        try context.save()
        try expect(try context.count(for: Person.fetchRequest()), is: 1)
        let store = coordinator.persistentStore(for: url)
        try expect(store?.type, is: NSSQLiteStoreType)
        try coordinator.remove(store!)
        try expect(coordinator.persistentStores.isEmpty)
    }

    suite("Everything is deleted by walking the model's entities") {
        let stack = CoreDataStack(inMemory: false)
        let context = stack.viewContext
        _ = Person(context: context)
        _ = Todo(context: context)
        try context.save()
        for entity in stack.container.managedObjectModel.entities {
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity.name!)
            let delete = NSBatchDeleteRequest(fetchRequest: request)
            _ = try context.execute(delete)
        }
        context.reset()
        try expect(try context.count(for: Person.fetchRequest()), is: 0)
        try expect(try context.count(for: Todo.fetchRequest()), is: 0)
    }

    suite("destroyPersistentStore starts over") {
        let stack = CoreDataStack(inMemory: false)
        _ = Person(context: stack.viewContext)
        try stack.viewContext.save()
        let coordinator = stack.container.persistentStoreCoordinator
        let url = coordinator.persistentStores.first!.url!
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try expect(try stack.container.newBackgroundContext().count(for: Person.fetchRequest()), is: 0)
    }

    suite("Values are kept in the context's userInfo and in the store's metadata") {
        let stack = CoreDataStack(inMemory: false)
        stack.viewContext.userInfo["key"] = 5
        try expect(stack.viewContext.userInfo["key"] as? Int, is: 5)
        let coordinator = stack.container.persistentStoreCoordinator
        let store = coordinator.persistentStores[0]
        var metadata = coordinator.metadata(for: store)
        metadata["lastSync"] = "token"
        coordinator.setMetadata(metadata, for: store)
        try stack.viewContext.save()
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: store.url!, options: nil)
        try expect(read["lastSync"] as? String, is: "token")
        try expect(read[NSStoreTypeKey] as? String, is: NSSQLiteStoreType)
    }

    suite("A fetch request of the entity's own is typed by inference") {
        let context = CoreDataStack().viewContext
        let request: NSFetchRequest<Todo> = Todo.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "priority", ascending: true)]
        let todos = try context.fetch(request)
        try expect(todos.isEmpty)
        let erased = Todo.fetchRequest() as NSFetchRequest<NSFetchRequestResult>
        try expect(erased.entityName, is: "Todo")
    }

    suite("A weak object is let go when nobody holds it") {
        let stack = CoreDataStack(inMemory: false)
        weak var weakPerson: Person?
        func work() throws {
            let person = Person(context: stack.viewContext)
            weakPerson = person
            try stack.viewContext.save()
        }
        try work()
        stack.viewContext.refreshAllObjects()
        try expect(weakPerson == nil || weakPerson!.isFault)
        try expect(stack.viewContext.retainsRegisteredObjects, is: false)
    }
}

private enum Level: Int64 { case low = 1, middle, high }

extension Todo {
    fileprivate var level: Level {
        get { Level(rawValue: priority) ?? .low }
        set { priority = newValue.rawValue }
    }
}
