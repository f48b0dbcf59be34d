import Foundation
import FoundationCompat

import class FoundationCompat.NSExpression

/// Writes `.cdm` files, as Xcode's compiler does from an `.xcmappingmodel`; the counterpart of `CompiledMappingReader`.
package struct CompiledMappingWriter {
    private let builder = KeyedArchiveBuilder()

    /// The contents of a `.cdm` file.
    ///
    /// - Throws: a `ModelFileError` for an expression or note that an archive can't hold.
    package static func data(for description: MappingModelDescription) throws -> Data {
        let writer = CompiledMappingWriter()
        let mappings = try description.entityMappings.map(writer.add)
        let names = description.entityMappings.map { writer.builder.add($0.name) }
        let root = writer.builder.add(
            className: "NSMappingModel",
            fields: [
                "NSEntityMappings": writer.builder.addArray(mappings),
                "NSEntityMappingsByName": writer.builder.addDictionary(
                    Array(zip(names, mappings)).map { (key: $0, value: $1) }),
            ])
        return writer.builder.archive(root: root)
    }

    private func add(_ mapping: EntityMappingDescription) throws -> PropertyListNode {
        do {
            return builder.add(
                className: "NSEntityMapping",
                fields: [
                    "NSMappingName": builder.add(mapping.name),
                    "NSMappingType": .integer(mapping.kind.rawValue),
                    "NSSourceEntityName": builder.add(mapping.sourceEntityName),
                    "NSDestinationEntityName": builder.add(mapping.destinationEntityName),
                    "NSSourceEntityVersionHash": add(mapping.sourceEntityVersionHash),
                    "NSDestinationEntityVersionHash": add(mapping.destinationEntityVersionHash),
                    "NSSourceExpression": try add(mapping.sourceExpression),
                    "NSAttributeMappings": builder.addArray(try mapping.attributeMappings.map(add)),
                    "NSRelationshipMappings": builder.addArray(try mapping.relationshipMappings.map(add)),
                    "NSEntityMigrationPolicyClassName": builder.add(mapping.migrationPolicyClassName),
                    "NSUserInfo": try add(mapping.userInfo),
                ])
        } catch let error as ModelFileError {
            throw error.located(at: "mapping \(mapping.name)")
        }
    }

    private func add(_ property: PropertyMappingDescription) throws -> PropertyListNode {
        builder.add(
            className: "NSPropertyMapping",
            fields: [
                "NSDestinationPropertyName": builder.add(property.name),
                "NSPropertyTransforms": KeyedArchiveBuilder.null,
                "NSValueExpression": try add(property.valueExpression),
                "NSUserInfo": try add(property.userInfo),
            ])
    }

    private func add(_ data: Data?) -> PropertyListNode {
        data.map { builder.add(PropertyListNode.data($0)) } ?? KeyedArchiveBuilder.null
    }

    private func add(_ notes: [AnyHashable: Any]) throws -> PropertyListNode {
        notes.isEmpty ? KeyedArchiveBuilder.null : try ValueArchiveWriter.add(notes, to: builder)
    }

    private func add(_ expression: MappingExpression?) throws -> PropertyListNode {
        switch expression {
        case nil: return KeyedArchiveBuilder.null
        case .expression(let plain)?: return try PredicateArchiveWriter.add(plain, to: builder)
        case .fetch(let request, let context, let countOnly)?:
            return builder.add(
                className: "NSFetchRequestExpression",
                fields: [
                    "NSFRExpression": try PredicateArchiveWriter.add(request, to: builder),
                    "NSMOCExpression": try PredicateArchiveWriter.add(context, to: builder),
                    "NSCountOnlyFlag": .boolean(countOnly),
                    "NSExpressionType": .integer(50),
                ])
        }
    }
}
