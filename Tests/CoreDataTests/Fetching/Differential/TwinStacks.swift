import CoreData
import Foundation

/// The same objects in a SQLite store and in an in-memory store.
struct TwinStacks {
    let stacks: [TemporaryStack]
    let sqlite: NSManagedObjectContext
    let memory: NSManagedObjectContext
    /// By store, the place of each object among those that were made.
    private let places: [[NSManagedObjectID: Int]]
    /// The objects of the SQLite store in the order in which they were made, as a second stack reads them from the file.
    let objects: [NSManagedObject]

    /// - Parameter fill: makes the objects, in the same order for each store.
    init(
        _ makeModel: () -> NSManagedObjectModel, fill: (NSManagedObjectContext) throws -> [NSManagedObject]
    ) throws {
        var stacks: [TemporaryStack] = []
        var places: [[NSManagedObjectID: Int]] = []
        var ids: [NSManagedObjectID] = []
        for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
            let stack = try TemporaryStack(model: makeModel(), storeType: type)
            let writer = stack.context()
            let made = try fill(writer)
            try writer.save()
            stacks.append(stack)
            places.append(Dictionary(uniqueKeysWithValues: made.enumerated().map { ($1.objectID, $0) }))
            if type == NSSQLiteStoreType { ids = made.map(\.objectID) }
        }
        self.stacks = stacks
        self.places = places
        let sqlite = try stacks[0].reopened()
        self.sqlite = sqlite
        memory = stacks[1].context()
        let coordinator = sqlite.persistentStoreCoordinator
        objects = try ids.map { id in
            let own = coordinator?.managedObjectID(forURIRepresentation: id.uriRepresentation())
            return try sqlite.existingObject(with: own ?? id)
        }
    }

    /// The objects of one store that stand for those of the other.
    func counterparts(of objects: [NSManagedObject]) -> [NSManagedObject] {
        let idByPlace = Dictionary(uniqueKeysWithValues: places[1].map { ($1, $0) })
        return objects.map { memory.object(with: idByPlace[places[0][$0.objectID]!]!) }
    }

    func place(_ object: NSManagedObject) -> Int {
        places[0][object.objectID] ?? places[1][object.objectID] ?? -1
    }

    /// The places of the objects that a predicate selects: by SQL, by evaluation, and in the in-memory store.
    func answers(_ entity: String, _ predicate: NSPredicate, _ twin: NSPredicate? = nil) throws -> [[Int]] {
        let members = objects.filter { object in
            sequence(first: object.entity) { $0.superentity }.contains { $0.name == entity }
        }
        return [
            try fetch(entity, predicate, in: sqlite),
            try members.filter { try predicate.checkedEvaluate(with: $0) }.map(place).sorted(),
            try fetch(entity, twin ?? predicate, in: memory),
        ]
    }

    private func fetch(_ entity: String, _ predicate: NSPredicate, in context: NSManagedObjectContext) throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        return try context.fetch(request).map(place).sorted()
    }
}
