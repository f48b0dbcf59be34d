import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// Fills in what Xcode leaves out of an `.xcmappingmodel`, since it follows from the two models: kinds, version hashes, and the
/// expressions of properties that the author left to it.
///
/// The expressions are those that Xcode made for the fixture V2toV3: `$source.name` for an attribute that the source
/// has too, and for such a relationship the new objects by the mapping between the two destinations, or by any mapping
/// where there are entities below the destination.
package struct MappingCompletion {
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel

    package init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        self.source = source
        self.destination = destination
    }

    /// - Parameter requiresAll: whether there has to be a mapping for every entity. A migration in several passes has a
    ///   mapping model for each, which speaks of some entities only (Apple: Multiple Passes).
    /// - Throws: a `ModelFileError` that names the mapping and the entity that it doesn't fit.
    package func completed(
        _ description: MappingModelDescription, requiresAll: Bool = false
    ) throws -> MappingModelDescription {
        var completed = description
        completed.entityMappings = try description.entityMappings.map { mapping in
            var mapping = mapping
            try completeEntities(of: &mapping)
            if description.isSource { completeProperties(of: &mapping, among: description.entityMappings) }
            return mapping
        }
        guard requiresAll else { return completed }
        try requireAll(of: destination, in: completed.entityMappings.map(\.destinationEntityName), "destination")
        try requireAll(of: source, in: completed.entityMappings.map(\.sourceEntityName), "source")
        return completed
    }

    /// The mapping model for a whole migration speaks of every entity that has objects.
    private func requireAll(of model: NSManagedObjectModel, in names: [String?], _ side: String) throws {
        let known = Set(names.compactMap { $0 })
        for entity in model.entities where !entity.isAbstract && !known.contains(entity.name ?? "") {
            throw ModelFileError(.malformed, "no mapping is for the \(side) entity \"\(entity.name ?? "")\"")
        }
    }

    private func completeEntities(of mapping: inout EntityMappingDescription) throws {
        let place = "mapping \(mapping.name)"
        let from = try entity(mapping.sourceEntityName, of: source, mapping.sourceEntityVersionHash, "source", place)
        let to = try entity(
            mapping.destinationEntityName, of: destination, mapping.destinationEntityVersionHash, "destination", place)
        mapping.sourceEntityVersionHash = from?.versionHash
        mapping.destinationEntityVersionHash = to?.versionHash
        guard mapping.kind == .undefined else { return }
        switch (from, to) {
        case _ where mapping.migrationPolicyClassName != nil: mapping.kind = .custom
        case (nil, _): mapping.kind = .add
        case (_, nil): mapping.kind = .remove
        case (let from?, let to?): mapping.kind = from.versionHash == to.versionHash ? .copy : .transform
        }
    }

    private func entity(
        _ name: String?, of model: NSManagedObjectModel, _ hash: Data?, _ side: String, _ place: String
    ) throws -> NSEntityDescription? {
        guard let name else { return nil }
        guard let entity = model.entitiesByName[name] else {
            throw ModelFileError(.malformed, "the \(side) model has no entity \"\(name)\"", at: place)
        }
        guard hash == nil || hash == entity.versionHash else {
            throw ModelFileError(.malformed, "it is for another version of the \(side) entity \"\(name)\"", at: place)
        }
        return entity
    }

    private func completeProperties(
        of mapping: inout EntityMappingDescription, among mappings: [EntityMappingDescription]
    ) {
        guard let from = mapping.sourceEntityName.flatMap({ source.entitiesByName[$0] }),
            let to = mapping.destinationEntityName.flatMap({ destination.entitiesByName[$0] })
        else { return }
        for place in mapping.attributeMappings.indices where mapping.attributeMappings[place].valueExpression == nil {
            let name = mapping.attributeMappings[place].name
            guard from.attributesByName[name] != nil else { continue }
            mapping.attributeMappings[place].valueExpression = .expression(Self.value(at: name))
        }
        for place in mapping.relationshipMappings.indices
        where mapping.relationshipMappings[place].valueExpression == nil {
            let name = mapping.relationshipMappings[place].name
            guard let before = from.relationshipsByName[name]?.destinationEntity,
                let after = to.relationshipsByName[name]?.destinationEntity,
                let between = mappings.first(where: {
                    $0.sourceEntityName == before.name && $0.destinationEntityName == after.name
                })
            else { continue }
            // Objects of subentities come from mappings of their own, so the relationship stands for all of them.
            mapping.relationshipMappings[place].valueExpression = .expression(
                before.subentities.isEmpty
                    ? Self.instances("destinationInstancesForEntityMappingNamed:sourceInstances:", between.name, name)
                    : Self.instances("destinationInstancesForSourceRelationshipNamed:sourceInstances:", name, name))
        }
    }

    private static func instances(_ selector: String, _ argument: String, _ relationship: String) -> NSExpression {
        NSExpression(
            form: .function(
                operand: NSExpression(forVariable: "manager"), name: selector,
                arguments: [NSExpression(forConstantValue: argument), value(at: relationship)]))
    }

    private static func value(at key: String) -> NSExpression {
        NSExpression(form: .keyPath(operand: NSExpression(forVariable: "source"), ParsedKeyPath(keys: [key])))
    }
}
