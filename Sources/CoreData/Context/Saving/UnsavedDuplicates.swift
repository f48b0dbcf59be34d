@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Finds objects of a save that break a uniqueness constraint among themselves, for stores that don't check it.
///
/// Apple's contexts compare the objects of a save with each other whatever the store is (seen in the tests of
/// core-data-model-description), and leave what is stored to the store: the one in memory doesn't look at that (reported to
/// Apple as 28668254).
struct UnsavedDuplicates {
    private struct Constraint: Hashable {
        /// The entity that declares it; its subentities keep it, too.
        let owner: Int
        let names: [String]
    }

    private struct Group: Hashable {
        let store: ObjectIdentifier
        let constraint: Constraint
        let values: [AnyHashable]
    }

    private var constraints: [Int: [(constraint: Constraint, properties: [PropertyLayout])]] = [:]
    private var holders: [Group: NSManagedObject] = [:]
    private var conflicts: [StoreConstraintConflict] = []

    /// - Throws: ``StoreConflicts``.
    static func check(_ context: NSManagedObjectContext) throws {
        guard context.parent == nil,
            context.persistentStoreCoordinator?.persistentStores.contains(where: {
                !$0.traits.contains(.findsDuplicates)
            }) == true
        else { return }
        var duplicates = UnsavedDuplicates()
        for object in context.updated.objects { duplicates.add(object) }
        for object in context.inserted.objects { duplicates.add(object) }
        guard duplicates.conflicts.isEmpty else {
            throw StoreConflicts(conflicts: [], constraints: duplicates.conflicts)
        }
    }

    private mutating func add(_ object: NSManagedObject) {
        let constraints = constraints(of: object.layout)
        guard !constraints.isEmpty, let store = object.savedStore, !store.traits.contains(.findsDuplicates) else {
            return
        }
        for (constraint, properties) in constraints {
            let values = properties.compactMap { Self.key(of: object.field($0)) }
            // Where a value is missing there is nothing to be unique.
            guard values.count == properties.count,
                object.wasNeverSaved || properties.contains(where: { object.committedField($0) != object.field($0) })
            else { continue }
            let group = Group(store: ObjectIdentifier(store), constraint: constraint, values: values)
            guard let holder = holders[group] else {
                holders[group] = object
                continue
            }
            conflicts.append(
                StoreConstraintConflict(
                    object: object, properties: constraint.names, existing: holder.savedKey,
                    holder: holder.wasNeverSaved ? holder : nil, store: store))
        }
    }

    /// A value to look others up by; nil for none.
    private static func key(of field: FieldValue) -> AnyHashable? {
        switch field {
        case .null, .reference, .destination: nil
        case .int(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .decimal(let value): value
        case .object(let box): box.value as? AnyHashable
        }
    }

    private mutating func constraints(of layout: EntityLayout) -> [(
        constraint: Constraint, properties: [PropertyLayout]
    )] {
        if let known = constraints[layout.index] { return known }
        var found: [(constraint: Constraint, properties: [PropertyLayout])] = []
        var owner: EntityLayout? = layout
        while let current = owner {
            for names in current.entity.uniquenessConstraintNames where !names.isEmpty {
                let properties = names.compactMap { layout.property(named: $0) }
                guard properties.count == names.count,
                    properties.allSatisfy({ $0.rowSlot >= 0 && !$0.kind.isRelationship })
                else { continue }
                // What a subentity repeats is its superentity's.
                found.removeAll { $0.constraint.names == names }
                found.append((Constraint(owner: current.index, names: names), properties))
            }
            owner = current.superlayout
        }
        constraints[layout.index] = found
        return found
    }
}
