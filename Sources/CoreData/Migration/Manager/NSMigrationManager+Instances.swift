@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSMigrationManager {
    func recordOrigin(
        _ sourceInstance: NSManagedObject, of destinationInstance: NSManagedObject, by entityMapping: NSEntityMapping
    ) {
        let source = sourceInstance.savedKey
        if destinationInstance.objectID.isTemporaryID {
            pending.append((source, destinationInstance, entityMapping.name ?? ""))
        } else {
            associations.add(source, destinationInstance.savedKey, mapping: entityMapping.name ?? "")
        }
    }

    func destinations(ofMapping mappingName: String, from sourceInstances: [NSManagedObject]?) -> [NSManagedObject] {
        requireMapping(mappingName)
        settlePending()
        guard let sourceInstances else {
            return present(associations.allDestinations(mapping: mappingName))
        }
        return present(
            sourceInstances.flatMap { associations.destinations(of: $0.savedKey, mapping: mappingName) }.uniqued())
    }

    func sources(ofMapping mappingName: String, for destinationInstances: [NSManagedObject]?) -> [NSManagedObject] {
        requireMapping(mappingName)
        settlePending()
        guard let destinationInstances else {
            return associations.allSources(mapping: mappingName).uniqued().map(sourceObject)
        }
        return destinationInstances.flatMap { associations.sources(of: $0.savedKey, mapping: mappingName) }
            .uniqued().map(sourceObject)
    }

    private func requireMapping(_ name: String) {
        guard mappingModel == nil || mappingModel.entityMappingsByName[name] != nil else {
            fatalError("Can't find mapping with name '\(name)' in the mapping model.")
        }
    }

    /// Obtains permanent identities for the objects that wait for one. If a store can't give them, the migration fails:
    /// the context records the error, and its next save throws it.
    private func settlePending() {
        guard !pending.isEmpty else { return }
        pending.removeAll { $0.destination.isToBeDeleted || $0.destination.managedObjectContext == nil }
        let waiting = pending.map(\.destination).filter(\.objectID.isTemporaryID)
        do {
            try destinationContext.obtainPermanentIDs(for: waiting)
            adoptPending()
        } catch {
            destinationContext.recordReadFailure(error, of: "new objects of a migration")
        }
    }

    private func adoptPending() {
        for entry in pending where !entry.destination.objectID.isTemporaryID {
            associations.add(entry.source, entry.destination.savedKey, mapping: entry.mapping)
        }
        pending = []
    }

    /// Writes what was made, and releases it. Rules are checked once everything is in place.
    func flush() throws {
        // What couldn't be read of the source would be missing in the destination.
        if let failure = sourceContext.readFailure { throw failure }
        keepAdditions()
        try destinationContext.save()
        adoptPending()
    }

    private func keepAdditions() {
        let inserted = destinationContext.insertedObjects
        guard inserted.count > pending.count else { return }
        let waiting = Set(pending.map { ObjectIdentifier($0.destination) })
        additions += inserted.filter { object in
            !waiting.contains(ObjectIdentifier(object))
                && (object.objectID.isTemporaryID || !associations.hasDestination(object.savedKey))
        }
    }

    func destinationObject(_ key: ObjectKey) -> NSManagedObject {
        object(key, in: destinationContext, destinationStore)
    }

    func sourceObject(_ key: ObjectKey) -> NSManagedObject {
        object(key, in: sourceContext, sourceStore)
    }

    private func object(
        _ key: ObjectKey, in context: NSManagedObjectContext, _ store: NSPersistentStore?
    ) -> NSManagedObject {
        guard let store else { fatalError("The manager's stores are open during a migration only.") }
        let layout = ModelLayout.of(context.coordinator.managedObjectModel).entities[Int(key.entityIndex)]
        return context.object(with: NSManagedObjectID(layout: layout, handle: key.handle, store: store))
    }

    /// The new objects of those that a relationship led to, whichever mappings made them.
    func destinationInstances(of sources: [NSManagedObject]) -> [NSManagedObject] {
        settlePending()
        return present(sources.flatMap { associations.destinations(of: $0.savedKey) }.uniqued())
    }

    /// The new objects that aren't deleted; those whose deletion was saved, the associations don't have any more.
    private func present(_ keys: [ObjectKey]) -> [NSManagedObject] {
        keys.map(destinationObject).filter { !$0.isToBeDeleted }
    }

    /// Forgets what a save of the destination has deleted: no policy is to get it, and no rule holds for it.
    func forgetDeleted(_ objects: Set<NSManagedObject>) {
        associations.remove(objects.lazy.filter { !$0.objectID.isTemporaryID }.map(\.savedKey))
    }

    /// The objects that policies have made beside those that they were asked for, and that are still there.
    var ownAdditions: [NSManagedObject] {
        additions.filter { object in
            object.managedObjectContext === destinationContext && !object.isToBeDeleted
                && !object.objectID.isTemporaryID && !associations.hasDestination(object.savedKey)
        }
    }

    // MARK: What the default policy needs

    func insertDestination(for mapping: NSEntityMapping) throws -> NSManagedObject {
        guard let entity = destinationEntity(for: mapping) else {
            throw MigrationError.make(
                "The mapping \(mapping.name ?? "") makes objects of '\(mapping.destinationEntityName ?? "")', which the "
                    + "destination model hasn't.", code: NSEntityMigrationPolicyError)
        }
        guard !entity.isAbstract else {
            throw MigrationError.make(
                "The mapping \(mapping.name ?? "") makes objects of the abstract entity '\(entity.name ?? "")'.",
                code: NSEntityMigrationPolicyError)
        }
        return NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: destinationContext)
    }

    /// Gives a new object the values of its attribute mappings.
    func setAttributes(
        of destination: NSManagedObject, from source: NSManagedObject, by mapping: NSEntityMapping,
        policy: NSEntityMigrationPolicy
    ) throws {
        source.fireIfNeeded()
        var scope: MappingScope?
        func evaluate(_ property: NSPropertyMapping) throws {
            var current =
                scope
                ?? MappingScope(
                    manager: self, source: source, destination: destination, mapping: mapping, policy: policy)
            let value = try value(of: property, in: &current)
            scope = current
            try set(value, forAttribute: property.name ?? "", of: destination, mapping: mapping)
        }
        for step in attributePlan(mapping, from: source.layout, to: destination.layout).steps {
            switch step {
            case .copy(let former, let property): destination.change(property, to: source.field(former))
            case .copyElements(let elements):
                for element in elements {
                    let value = source.storedField(element.source)
                    if element.keepsDefault, value.isNull { continue }
                    destination.change(element.destination, to: element.converted(value))
                }
            case .copyArchive(let former, let property, let otherwise):
                if case .data(let data) = source.storedField(former) {
                    destination.change(property, to: .data(data))
                } else {
                    try evaluate(otherwise)
                }
            case .evaluate(let property): try evaluate(property)
            }
        }
    }

    private func attributePlan(
        _ mapping: NSEntityMapping, from source: EntityLayout, to destination: EntityLayout
    ) -> AttributePlan {
        let key = AttributePlanKey(
            mapping: ObjectIdentifier(mapping), source: source.stamp, destination: destination.stamp)
        let mappings = mapping.attributeMappings ?? []
        if let plan = attributePlans[key], plan.isFor(mappings) { return plan }
        let plan = AttributePlan(mappings, from: source, to: destination)
        attributePlans[key] = plan
        return plan
    }

    func set(
        _ value: Any?, forAttribute name: String, of object: NSManagedObject, mapping: NSEntityMapping
    ) throws {
        guard let property = object.layout.property(named: name), !property.kind.isRelationship else {
            throw noProperty(name, of: object, mapping)
        }
        if property.kind == .composite {
            try checkElements(of: value, property, object, mapping)
        } else if property.kind != .undefined, FieldValue(value, kind: property.kind) == nil {
            throw MigrationError.make(
                "The mapping \(mapping.name ?? "") gives '\(name)' of '\(object.layout.name)' a value of the type "
                    + "\(value.map { "\(type(of: $0))" } ?? "nil"), which it can't have.",
                code: NSEntityMigrationPolicyError)
        }
        if property.kind == .transformable, let value, !(value is NSNull),
            TransformableCoder.data(from: value, of: property) == nil
        {
            throw MigrationError.make(
                "The mapping \(mapping.name ?? "") gives '\(name)' of '\(object.layout.name)' a value of the type "
                    + "\(type(of: value)), which its value transformer "
                    + "(\(property.attribute?.valueTransformerName ?? "the default one")) can't turn into data.",
                code: NSEntityMigrationPolicyError, ["entity": object.layout.name, "property": name])
        }
        object.setValue(value, forKey: name)
    }

    /// Whether a composite attribute can have a value: a dictionary of its elements' values.
    private func checkElements(
        of value: Any?, _ property: PropertyLayout, _ object: NSManagedObject, _ mapping: NSEntityMapping
    ) throws {
        guard let value, !(value is NSNull) else { return }
        let elements = value as? [String: Any]
        let wrong = elements?.first { name, value in
            guard let element = property.elements.first(where: { $0.name == name }) else { return true }
            return element.kind != .composite && FieldValue(value, kind: element.kind) == nil
        }
        guard elements == nil || wrong != nil else {
            for element in property.elements where element.kind == .composite {
                try checkElements(of: elements?[element.name], element, object, mapping)
            }
            return
        }
        throw MigrationError.make(
            "The mapping \(mapping.name ?? "") gives the composite attribute '\(property.name)' of "
                + "'\(object.layout.name)' a value that it can't have: "
                + (wrong.map { "\($0.key) = \($0.value)" } ?? "\(type(of: value))"),
            code: NSEntityMigrationPolicyError, ["entity": object.layout.name, "property": property.name])
    }

    func set(
        _ value: Any?, forRelationship name: String, of object: NSManagedObject, mapping: NSEntityMapping
    ) throws {
        guard let property = object.layout.property(named: name), let destination = property.destination else {
            throw noProperty(name, of: object, mapping)
        }
        var objects = NSManagedObject.objects(in: value)
        // An inferred mapping says nothing of objects whose entity has left the hierarchy below the destination.
        if mappingModel?.isInferred == true { objects = objects.filter { $0.layout.isKind(of: destination) } }
        if let wrong = objects.first(where: { !$0.layout.isKind(of: destination) }) {
            throw MigrationError.make(
                "The mapping \(mapping.name ?? "") gives the relationship '\(name)' of '\(object.layout.name)' an object of "
                    + "'\(wrong.layout.name)', not of '\(destination.name)'.", code: NSEntityMigrationPolicyError)
        }
        switch (property.kind, property.isOrdered) {
        case (.toMany, true): object.setValue(NSOrderedSet(array: objects), forKey: name)
        case (.toMany, false): object.setValue(Set(objects), forKey: name)
        default: object.setValue(objects.first, forKey: name)
        }
    }

    private func noProperty(_ name: String, of object: NSManagedObject, _ mapping: NSEntityMapping) -> NSError {
        MigrationError.make(
            "The mapping \(mapping.name ?? "") is for the property '\(name)', which '\(object.layout.name)' hasn't.",
            code: NSEntityMigrationPolicyError, ["entity": object.layout.name, "property": name])
    }

    /// The relationship mappings that give a new object something: not those without an expression, nor those that the other
    /// end sets as well.
    func relationshipsToSet(by mapping: NSEntityMapping, of layout: EntityLayout) -> [NSPropertyMapping] {
        (mapping.relationshipMappings ?? []).filter {
            $0.valueExpression != nil && !isSetFromInverse($0, of: layout)
        }
    }

    /// Whether an inferred mapping sets a relationship from its other end as well, where that is cheaper: to-many ones
    /// without an order from their to-one.
    private func isSetFromInverse(_ mapping: NSPropertyMapping, of layout: EntityLayout) -> Bool {
        guard mappingModel?.isInferred == true, let property = mapping.name.flatMap(layout.property(named:)),
            property.kind == .toMany, !property.isOrdered, let inverse = property.inverse, inverse.kind == .toOne
        else { return false }
        let declaring = inverse.property.declaringEntity?.name ?? ""
        return mappedRelationships.contains(MappedRelationship(entity: declaring, name: inverse.name))
    }
}
