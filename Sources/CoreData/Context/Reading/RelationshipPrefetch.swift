@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Reads the destinations of a fetch's objects, with one query for each relationship.
///
/// Only stores that read many rows at once are asked; for the others prefetching would save nothing.
struct RelationshipPrefetch {
    private let steps: [Step]

    /// A relationship, and those to follow from its destinations.
    private struct Step {
        let name: String
        var next: [Step]
    }

    /// - Parameter keyPaths: relationships, or paths of several: `author`, `author.books`. What is none is logged and left out, as a
    ///   prefetch changes no result (SyncKit, which apps use, asks for one that its model lacks, and its fetch mustn't fail).
    init(_ keyPaths: [String], from entity: EntityLayout) {
        var steps: [Step] = []
        for path in keyPaths {
            let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            do {
                var current = entity
                for key in keys { current = try Self.destination(of: key, in: path, from: current) }
                Self.insert(keys[...], into: &steps)
            } catch {
                CoreDataLog.warn("error: a fetch goes on without a prefetch: \(error.localizedDescription)")
            }
        }
        self.steps = steps
    }

    var isEmpty: Bool { steps.isEmpty }

    private static func destination(of key: String, in path: String, from entity: EntityLayout) throws -> EntityLayout {
        guard let property = entity.property(named: key) else {
            throw FetchedKeyPath.unknown(key, in: path, entity, nil)
        }
        guard property.kind.isRelationship, let destination = property.destination else {
            throw CoreDataError.make(
                NSCoreDataError,
                "Can't prefetch \"\(path)\": \(entity.name).\(key) is not a relationship.")
        }
        return destination
    }

    private static func insert(_ keys: ArraySlice<String>, into steps: inout [Step]) {
        guard let key = keys.first else { return }
        let index = steps.firstIndex { $0.name == key } ?? steps.endIndex
        if index == steps.endIndex { steps.append(Step(name: key, next: [])) }
        insert(keys.dropFirst(), into: &steps[index].next)
    }

    /// Brings the relationships in. What the context has already isn't read again.
    func run(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try run(steps, for: objects, in: context)
    }

    /// The objects by the property of the name that they have: a subentity may declare an inherited name anew.
    private static func groups(of objects: [NSManagedObject], sharing name: String) -> [[NSManagedObject]] {
        guard let first = objects[0].layout.property(named: name) else { return [objects] }
        func hasOther(_ object: NSManagedObject) -> Bool {
            guard object.layout !== first.owner else { return false }
            return !(object.layout.property(named: name)?.isSameProperty(as: first) ?? false)
        }
        guard objects.contains(where: hasOther) else { return [objects] }
        let others = objects.filter(hasOther)
        return [objects.filter { !hasOther($0) }] + groups(of: others, sharing: name)
    }

    private func run(_ steps: [Step], for objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        guard !objects.isEmpty else { return }
        for step in steps {
            var destinations: [NSManagedObject] = []
            for owners in Self.groups(of: objects, sharing: step.name) {
                destinations += try context.parentStore.prefetch(step.name, of: owners, in: context)
            }
            if !step.next.isEmpty { try run(step.next, for: destinations.uniqued(), in: context) }
        }
    }
}
