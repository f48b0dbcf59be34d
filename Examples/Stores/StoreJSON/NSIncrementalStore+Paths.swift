import CoreData

extension NSIncrementalStore {
    /// The path of an object, such as "Author/7": the name of its entity, and its reference object.
    public func path(of id: NSManagedObjectID) -> String { "\(id.entity.name ?? "")/\(referenceObject(for: id))" }

    /// The ID of the object at a path.
    ///
    /// - Parameter reference: the reference object that a text stands for, a UUID unless it is given; nil where it stands for none.
    /// - Throws: an error that names the path which leads to no object.
    public func objectID(at path: String, reference: (String) -> Any? = { UUID(uuidString: $0) }) throws
        -> NSManagedObjectID
    {
        let parts = path.split(separator: "/").map(String.init)
        guard parts.count == 2, let reference = reference(parts[1]),
            let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[parts[0]]
        else { throw JSONFormatError("\(url?.absoluteString ?? ""): \"\(path)\" doesn't name an object") }
        return newObjectID(for: entity, referenceObject: reference)
    }
}
