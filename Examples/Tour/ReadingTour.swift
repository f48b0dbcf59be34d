import CoreData

/// Metadata, entities, a fetch with predicate and sort, a relationship.
@MainActor
struct ReadingTour {
    let files: TourFiles

    func run() throws {
        try showMetadata()
        try files.reopened { context in
            let counts = try showEntities(context)
            let entities = counts.filter { $0.rows > 0 }.sorted { $0.rows > $1.rows }.map(\.entity)
            try showFetch(entities, context)
            try showRelationship(entities, context)
        }
    }

    private func showMetadata() throws {
        Narration.heading("Metadata")
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: files.storeURL, options: nil)
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            switch value {
            case let hashes as [String: Data]: print("\(key): \(hashes.count) entities")
            case let text as String: print("\(key): \(text)")
            case let number as NSNumber: print("\(key): \(number)")
            case let list as [Any]: print("\(key): [\(list.map { "\($0)" }.joined(separator: ", "))]")
            default: print("\(key): \(Narration.words(for: value))")
            }
        }
    }

    private func showEntities(
        _ context: NSManagedObjectContext
    ) throws -> [(entity: NSEntityDescription, rows: Int)] {
        Narration.heading("Entities")
        let entities = files.model.entities.filter { !$0.isAbstract }.sorted { $0.name ?? "" < $1.name ?? "" }
        let counts = try entities.map { entity in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            return (entity: entity, rows: try context.count(for: request))
        }
        let width = counts.map { $0.entity.name?.count ?? 0 }.max() ?? 0
        for (entity, rows) in counts {
            let name = (entity.name ?? "?").padding(toLength: width, withPad: " ", startingAt: 0)
            let parent = entity.superentity?.name.map { "  (a \($0))" } ?? ""
            print("\(name)  \(rows) rows\(parent)")
        }
        return counts
    }

    private func showFetch(_ entities: [NSEntityDescription], _ context: NSManagedObjectContext) throws {
        Narration.heading("A fetch with a predicate and a sort")
        for entity in entities {
            guard let question = try Question(about: entity, in: context) else { continue }
            let request = question.request
            print("\(entity.name ?? "?") where \(request.predicate?.predicateFormat ?? "") sorted by \(question.key)")
            let found = try context.fetch(request)
            for object in found.prefix(5) { print("  " + Narration.words(for: object, showing: question.key)) }
            if found.count > 5 { print("  … \(found.count) in all") }
            return
        }
        Narration.skipped("no rows with a string or number to ask for.")
    }

    private func showRelationship(_ entities: [NSEntityDescription], _ context: NSManagedObjectContext) throws {
        Narration.heading("A relationship followed")
        for entity in entities where !entity.relationshipsByName.isEmpty {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.fetchLimit = 50
            for object in try context.fetch(request) {
                for name in object.entity.relationshipsByName.keys.sorted() {
                    let others = related(to: object, by: name)
                    guard !others.isEmpty else { continue }
                    print("\(Narration.words(for: object))\n  .\(name): \(others.count)")
                    for other in others.prefix(3) { print("    " + Narration.words(for: other)) }
                    return
                }
            }
        }
        Narration.skipped("no object here is related to another.")
    }

    private func related(to object: NSManagedObject, by name: String) -> [NSManagedObject] {
        switch object.value(forKey: name) {
        case let one as NSManagedObject: [one]
        case let ordered as NSOrderedSet: ordered.compactMap { $0 as? NSManagedObject }
        case let set as Set<NSManagedObject>: Array(set)
        default: []
        }
    }
}
