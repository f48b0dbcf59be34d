import CoreData

/// An object inserted, changed and deleted; after each save the file is opened anew and asked.
@MainActor
struct WritingTour {
    let files: TourFiles

    func run() throws {
        Narration.heading("An object inserted, changed and deleted")
        guard let (uri, entityName) = try insert() else { return }
        try change(uri)
        try delete(uri, entityName)
    }

    /// Tries the entities, those that ask least first, until a new object of one can be saved.
    private func insert() throws -> (uri: URL, entityName: String)? {
        var obstacles: [String] = []
        for entity in files.model.entities.filter({ !$0.isAbstract }).sorted(by: Specimen.isEasier) {
            let name = entity.name ?? "?"
            do {
                let before = try count(name)
                let uri = try files.reopened { context in
                    let object = try Specimen(of: entity, in: context).object
                    try context.save()
                    print("Inserted \(Narration.words(for: object))")
                    return object.objectID.uriRepresentation()
                }
                print("  reopened: \(before) rows before, \(try count(name)) now; \(try status(of: uri))")
                return (uri, name)
            } catch {
                obstacles.append("\(name): \(Narration.words(for: error))")
            }
        }
        Narration.skipped(
            "no entity takes a made-up object. " + (obstacles.first ?? "The model has no concrete entity."))
        return nil
    }

    private func change(_ uri: URL) throws {
        let changed = try files.reopened { context -> Bool in
            guard let object = try find(uri, context), let (key, value) = Specimen.anotherValue(for: object) else {
                return false
            }
            let old = object.value(forKey: key).map { Narration.words(for: $0) } ?? "nil"
            object.setValue(value, forKey: key)
            try context.save()
            print("Changed \(Narration.key(of: object)).\(key) from \(old) to \(Narration.words(for: value))")
            return true
        }
        if changed {
            print("  reopened: \(try status(of: uri))")
        } else {
            Narration.skipped("a change, as the object has no plain attribute.")
        }
    }

    private func delete(_ uri: URL, _ entityName: String) throws {
        try files.reopened { context in
            guard let object = try find(uri, context) else { return }
            print("Deleted \(Narration.key(of: object))")
            context.delete(object)
            try context.save()
        }
        print("  reopened: \(try count(entityName)) rows; \(try status(of: uri))")
    }

    private func count(_ entityName: String) throws -> Int {
        try files.reopened { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
            request.includesSubentities = false
            return try context.count(for: request)
        }
    }

    private func status(of uri: URL) throws -> String {
        try files.reopened { context in
            guard let object = try find(uri, context) else { return "\(uri.lastPathComponent) is gone" }
            return Narration.words(for: object)
        }
    }

    /// The object, or nil where the store has none of that key.
    private func find(_ uri: URL, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
        guard let objectID = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) else {
            return nil
        }
        do {
            return try context.existingObject(with: objectID)
        } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
            return nil
        }
    }
}
