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

    /// - Throws: a `ModelFileError` that names the mapping and the entity that it doesn't fit.
    package func completed(_ description: MappingModelDescription) throws -> MappingModelDescription {
        var completed = description
        completed.entityMappings = try description.entityMappings.map { mapping in
            var mapping = mapping
            try completeEntities(of: &mapping)
            if description.isSource { completeProperties(of: &mapping, among: description.entityMappings) }
            return mapping
        }
        return completed
    }

    // MARK: Whether it is for the two models

    /// Whether the entities of all mappings are in the two models, in the versions that are named, where any are.
    package func fits(_ description: MappingModelDescription) -> Bool {
        !description.entityMappings.isEmpty
            && description.entityMappings.allSatisfy { mapping in
                Self.has(source, mapping.sourceEntityName, mapping.sourceEntityVersionHash)
                    && Self.has(destination, mapping.destinationEntityName, mapping.destinationEntityVersionHash)
            }
    }

    /// Whether a file that can't be read as a whole may be for these models: nothing that can be read of it says otherwise.
    package func mayFit(fileAt url: URL) -> Bool {
        // What can't be read may be anything: it counts as one that may fit.
        guard let data = try? ModelLocation.data(of: url), data.starts(with: Data("bplist".utf8)),
            let ends = try? CompiledMappingReader.ends(data)
        else { return true }
        return ends.allSatisfy { end in
            Self.has(source, end.source.name, end.source.hash)
                && Self.has(destination, end.destination.name, end.destination.hash)
        }
    }

    private static func has(_ model: NSManagedObjectModel, _ name: String?, _ hash: Data?) -> Bool {
        guard let name else { return true }
        guard let known = model.entityVersionHashesByName[name] else { return false }
        return hash == nil || hash == known
    }

    /// Whether no objects would be lost if the mappings were all: what Xcode leaves out is entities that are gone.
    package func coversAll(_ description: MappingModelDescription) -> Bool {
        let mappings = description.entityMappings
        return entitiesLeftOut(sources: Set(mappings.compactMap(\.sourceEntityName))).isEmpty
    }

    /// The entities of the source that nothing is said of, although the destination still has them: nothing has to be
    /// said of entities that are gone.
    ///
    /// - Parameter sources: the entities that mappings are from.
    package func entitiesLeftOut(sources: Set<String>) -> [String] {
        let pairing = ModelPairing(from: source, to: destination)
        let known = source.entities.filter { !$0.isAbstract }.compactMap(\.name).filter { !sources.contains($0) }
        return known.filter { pairing.destination(of: $0) != nil }.sorted()
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
