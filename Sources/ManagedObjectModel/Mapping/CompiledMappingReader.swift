import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// Reads `.cdm` files: keyed archives of `NSMappingModel`. The archive is untrusted.
package enum CompiledMappingReader {
    /// Reads the contents of a `.cdm` file. Throws a `ModelFileError`.
    package static func read(_ data: Data) throws -> MappingModelDescription {
        let root = try KeyedArchive(data).rootObject()
        guard root.className == "NSMappingModel" else {
            throw ModelFileError(.malformed, "this is an archive of \(root.className), not of a mapping model")
        }
        return MappingModelDescription(entityMappings: try root.objects("NSEntityMappings").map(entityMapping))
    }

    /// The entities that the mappings of a file are between, where they can be read, whatever else can't.
    static func ends(_ data: Data) throws -> [(source: EntityVersion, destination: EntityVersion)] {
        try KeyedArchive(data).rootObject().objects("NSEntityMappings").map { mapping in
            (
                EntityVersion(
                    name: try mapping.string("NSSourceEntityName"),
                    hash: try mapping.data("NSSourceEntityVersionHash")),
                EntityVersion(
                    name: try mapping.string("NSDestinationEntityName"),
                    hash: try mapping.data("NSDestinationEntityVersionHash"))
            )
        }
    }

    /// An entity, in the version of a hash where there is one.
    struct EntityVersion {
        let name: String?
        let hash: Data?
    }

    private static func entityMapping(_ object: ArchivedObject) throws -> EntityMappingDescription {
        guard object.className == "NSEntityMapping" else {
            throw ModelFileError(.malformed, "an entity mapping has the class \(object.className)")
        }
        let name = try object.requiredString("NSMappingName")
        do {
            guard let kind = EntityMappingDescription.Kind(rawValue: try object.integer("NSMappingType")) else {
                throw object.mismatch("NSMappingType", "a known type")
            }
            var mapping = EntityMappingDescription(name: name, kind: kind)
            mapping.sourceEntityName = try object.string("NSSourceEntityName")
            mapping.destinationEntityName = try object.string("NSDestinationEntityName")
            mapping.sourceEntityVersionHash = try object.data("NSSourceEntityVersionHash")
            mapping.destinationEntityVersionHash = try object.data("NSDestinationEntityVersionHash")
            mapping.sourceExpression = try object.object("NSSourceExpression").map(expression)
            mapping.attributeMappings = try object.objects("NSAttributeMappings").map(propertyMapping)
            mapping.relationshipMappings = try object.objects("NSRelationshipMappings").map(propertyMapping)
            mapping.migrationPolicyClassName = try object.string("NSEntityMigrationPolicyClassName")
            mapping.userInfo = try object.value("NSUserInfo") as? [AnyHashable: Any] ?? [:]
            return mapping
        } catch let error as ModelFileError {
            throw error.located(at: "mapping \(name)")
        }
    }

    private static func propertyMapping(_ object: ArchivedObject) throws -> PropertyMappingDescription {
        guard object.className == "NSPropertyMapping" else {
            throw ModelFileError(.malformed, "a property mapping has the class \(object.className)")
        }
        return PropertyMappingDescription(
            name: try object.requiredString("NSDestinationPropertyName"),
            valueExpression: try object.object("NSValueExpression").map(expression),
            userInfo: try object.value("NSUserInfo") as? [AnyHashable: Any] ?? [:])
    }

    /// Reads an expression, which may be a fetch.
    static func expression(_ object: ArchivedObject) throws -> MappingExpression {
        guard object.className == "NSFetchRequestExpression" else {
            return .expression(try PredicateArchiveReader.expression(object))
        }
        guard let request = try object.object("NSFRExpression"), let context = try object.object("NSMOCExpression")
        else {
            throw object.mismatch("NSFRExpression", "a request and a context")
        }
        return .fetch(
            request: try PredicateArchiveReader.expression(request),
            context: try PredicateArchiveReader.expression(context),
            countOnly: try object.boolean("NSCountOnlyFlag"))
    }
}
