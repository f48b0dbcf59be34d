import CoreData

extension OpenStore {
    private static let batchSize = 500

    /// Hands out the objects in the order of their IDs, some hundred at a time, so that memory doesn't grow with
    /// the store. An object that was deleted meanwhile is left out.
    func forEachObject(with objectIDs: [NSManagedObjectID], _ body: (NSManagedObject) throws -> Void) throws {
        for start in stride(from: 0, to: objectIDs.count, by: Self.batchSize) {
            let batch = Array(objectIDs[start..<min(start + Self.batchSize, objectIDs.count)])
            try perform { context in
                let objects = try fetch(batch, in: context)
                for objectID in batch {
                    if let object = objects[objectID] { try body(object) }
                }
                context.reset()
            }
        }
    }

    /// One request for each entity among the IDs, with the to-many relationships that will be printed prefetched.
    private func fetch(
        _ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID: NSManagedObject] {
        var objects: [NSManagedObjectID: NSManagedObject] = [:]
        for (name, group) in Dictionary(grouping: objectIDs, by: { $0.entity.name ?? "" }) {
            let request = NSFetchRequest<NSManagedObject>(entityName: name)
            request.predicate = NSPredicate(format: "SELF IN %@", group)
            request.includesSubentities = false
            request.returnsObjectsAsFaults = false
            request.relationshipKeyPathsForPrefetching = group.first?.entity.relationshipsByName
                .filter(\.value.isToMany).map(\.key)
            for object in try context.fetch(request) {
                objects[object.objectID] = object
            }
        }
        return objects
    }
}
