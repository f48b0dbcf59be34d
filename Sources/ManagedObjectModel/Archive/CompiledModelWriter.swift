import Foundation
import FoundationCompat

/// Writes descriptions as keyed archives in the layout of `.mom` files: Apple's class names, keys and shapes.
///
/// Objects are numbered when they are first referred to and written from a list of what is still to do, so that
/// the cycles of the graph do no harm.
package final class CompiledModelWriter {
    let builder = KeyedArchiveBuilder()
    private var references: [ObjectIdentifier: PropertyListNode] = [:]
    private var pending: [(reference: PropertyListNode, object: NSObject)] = []

    /// Whether default values of classes that model files can't hold are left out.
    let omitsForeignDefaults: Bool

    private init(omitsForeignDefaults: Bool) { self.omitsForeignDefaults = omitsForeignDefaults }

    /// An archive whose outermost object is that description.
    static func archive(of object: NSObject, omitsForeignDefaults: Bool = false) throws -> Data {
        let writer = CompiledModelWriter(omitsForeignDefaults: omitsForeignDefaults)
        let root = writer.reference(to: object)
        // What belongs to a description that is archived alone comes along; what it belongs to does not.
        while let (reference, object) = writer.pending.popLast() {
            let (className, fields) = try writer.contents(of: object)
            writer.builder.fill(reference, className: className, fields: fields)
        }
        return writer.builder.archive(root: root)
    }

    /// The number of the object, which is written later if it was not yet.
    func reference(to object: NSObject?) -> PropertyListNode {
        guard let object else { return KeyedArchiveBuilder.null }
        if let known = references[ObjectIdentifier(object)] { return known }
        let reference = builder.reserve()
        references[ObjectIdentifier(object)] = reference
        pending.append((reference, object))
        return reference
    }

    /// A reference to an object only where the archive already holds it: from a part to its whole.
    func backReference(to object: NSObject?) -> PropertyListNode {
        object.flatMap { references[ObjectIdentifier($0)] } ?? KeyedArchiveBuilder.null
    }

    /// Whether the object is part of the archive.
    func holds(_ object: NSObject) -> Bool {
        references[ObjectIdentifier(object)] != nil
    }

    private func contents(of object: NSObject) throws -> (String, [String: PropertyListNode]) {
        switch object {
        case let model as NSManagedObjectModel: return ("NSManagedObjectModel", try fields(of: model))
        case let entity as NSEntityDescription: return ("NSEntityDescription", try fields(of: entity))
        case let property as NSPropertyDescription:
            do {
                return try PropertyArchiveWriter(writer: self).contents(of: property)
            } catch let error as ModelFileError {
                let owner = property.declaringEntity?.name.map { "entity \($0), " } ?? ""
                throw error.located(at: "\(owner)property \(property.name)")
            }
        case let index as NSFetchIndexDescription: return ("NSFetchIndexDescription", try fields(of: index))
        case let element as NSFetchIndexElementDescription:
            return ("NSFetchIndexElementDescription", fields(of: element))
        case let request as AnyFetchRequest: return ("NSFetchRequest", try fields(of: request))
        default: throw ModelFileError(.unsupported, "\(type(of: object)) cannot be kept in a model file")
        }
    }

    private func fields(of model: NSManagedObjectModel) throws -> [String: PropertyListNode] {
        let entities = model.entitiesByName.sorted { $0.key < $1.key }
        // Each entity gets its number first, so that relationships can refer to it.
        var fields: [String: PropertyListNode] = [
            "NSEntities": dictionary(entities.map { ($0.key, $0.value) }),
            "NSVersionIdentifiers": builder.addArray(
                model.versionIdentifiers.compactMap { $0.base as? String }.sorted().map { builder.add($0) },
                className: "NSSet"),
            "NSFetchRequestTemplates": KeyedArchiveBuilder.null,
        ]
        let templates = model.fetchRequestTemplatesByName.sorted { $0.key < $1.key }
        if !templates.isEmpty { fields["NSFetchRequestTemplates"] = dictionary(templates.map { ($0.key, $0.value) }) }
        if !model.namedConfigurations.isEmpty {
            fields["NSConfigurations"] = builder.addDictionary(
                model.namedConfigurations.map { name in
                    let members = model.entities(forConfigurationName: name) ?? []
                    return (builder.add(name), builder.addArray(members.map { reference(to: $0) }))
                }, className: "NSMutableDictionary")
        }
        return fields
    }

    private func fields(of entity: NSEntityDescription) throws -> [String: PropertyListNode] {
        var fields: [String: PropertyListNode] = [
            "NSEntityName": builder.add(entity.name),
            "NSClassNameForEntity": builder.add(entity.managedObjectClassName),
            "NSManagedObjectModel": backReference(to: entity.owningModel),
            "NSSuperentity": backReference(to: entity.superentity),
            "NSSubentities": dictionary(
                entity.subentities.filter { holds($0) }.map { ($0.name ?? "", $0) }),
            "NSProperties": dictionary(entity.ownProperties.map { ($0.name, $0) }),
            "NSRenamingIdentifier": builder.add(entity.renamingIdentifier),
            "NSUserInfo": try ValueArchiveWriter.add(entity.userInfo ?? [:], to: builder),
            "NSVersionHashModifier": builder.add(entity.versionHashModifier),
        ]
        if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
        if !entity.uniquenessConstraints.isEmpty {
            fields["NSUniqueTuples"] = tuples(entity.uniquenessConstraintNames)
        }
        if !entity.indexes.isEmpty {
            fields["NSFetchIndexDescriptions"] = builder.addArray(
                entity.indexes.map { reference(to: $0) }, className: "NSMutableArray")
        }
        if !entity.indexes.isEmpty || !entity.compoundIndexes.isEmpty {
            // Seen in every compiled model with indexes: the list is there even where it is empty.
            let names = entity.compoundIndexes.map { index in
                index.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
            }
            fields["NSCompoundIndexes"] = tuples(names)
        }
        return fields
    }

    private func tuples(_ tuples: [[String]]) -> PropertyListNode {
        builder.addArray(
            tuples.map { names in builder.addArray(names.map { builder.add($0) }, className: "NSMutableArray") },
            className: "NSMutableArray")
    }

    private func fields(of index: NSFetchIndexDescription) throws -> [String: PropertyListNode] {
        [
            "NSIndexName": builder.add(index.name),
            "NSIndexElements": builder.addArray(index.elements.map { reference(to: $0) }),
            "NSPartialIndexPredicate": try PredicateArchiveWriter.add(index.partialIndexPredicate, to: builder),
            "NSEntity": backReference(to: index.entity),
        ]
    }

    private func fields(of element: NSFetchIndexElementDescription) -> [String: PropertyListNode] {
        var fields: [String: PropertyListNode] = [
            "NSPropertyName": builder.add(element.propertyName),
            "NSFetchIndexElementType": .integer(Int(element.collationType.rawValue)),
            "NSAscending": .boolean(element.isAscending),
            "NSFetchIndexDescription": backReference(to: element.indexDescription),
        ]
        if let expression = element.expressionDescription {
            fields["NSIndexedProperty"] = reference(to: expression)
        }
        return fields
    }

    private func fields(of request: AnyFetchRequest) throws -> [String: PropertyListNode] {
        [
            "NSEntity": try entityReference(of: request),
            "NSPredicate": try PredicateArchiveWriter.add(request.predicate, to: builder),
            "NSHavingPredicate": try PredicateArchiveWriter.add(request.havingPredicate, to: builder),
            "NSSortDescriptors": try list(request.sortDescriptors) { try PredicateArchiveWriter.add($0, to: builder) },
            "NSFetchLimit": .integer(request.fetchLimit),
            "NSFetchOffset": .integer(request.fetchOffset),
            "NSBatchSize": .integer(request.fetchBatchSize),
            "NSResultType": .integer(Int(truncatingIfNeeded: request.resultType.rawValue)),
            "NSHasFetchRequestFlags": .boolean(true),
            "NSFetchRequestFlags": .integer(FetchRequestFlags(of: request).rawValue),
            "NSValuesToFetch": try list(request.propertiesToFetch, add(column:)),
            "NSValuesToGroupBy": try list(request.propertiesToGroupBy, add(column:)),
            "NSRelationshipKeyPathsForPrefetching": list(request.relationshipKeyPathsForPrefetching) {
                builder.add($0)
            },
            "NSAllocationType": .integer(0),
        ]
    }

    /// The entity where it is part of the archive, else one that has nothing but its name.
    private func entityReference(of request: AnyFetchRequest) throws -> PropertyListNode {
        if let entity = request.entity, holds(entity) { return reference(to: entity) }
        guard let name = request.entityName else { return KeyedArchiveBuilder.null }
        return builder.add(className: "NSEntityDescription", fields: ["NSEntityName": builder.add(name)])
    }

    private func add(column: Any) throws -> PropertyListNode {
        switch column {
        case let expression as NSExpressionDescription: return reference(to: expression)
        case let property as NSPropertyDescription: return builder.add(property.name)
        case let name as String: return builder.add(name)
        default: throw ModelFileError(.unsupported, "a fetch request has a column of the type \(type(of: column))")
        }
    }

    private func list<Member>(
        _ members: [Member]?, _ add: (Member) throws -> PropertyListNode
    ) rethrows -> PropertyListNode {
        guard let members else { return KeyedArchiveBuilder.null }
        return builder.addArray(try members.map(add))
    }

    private func dictionary(_ pairs: [(String, NSObject)]) -> PropertyListNode {
        builder.addDictionary(
            pairs.map { (builder.add($0.0), reference(to: $0.1)) }, className: "NSMutableDictionary")
    }
}

extension NSManagedObjectModel {
    /// The model as Apple's framework archives it: the contents of a `.mom` file, and of `Z_MODELCACHE`
    /// once deflated.
    ///
    /// - Parameter omitsForeignDefaults: whether default values of classes that model files can't hold are left out.
    /// - Throws: an error where a default value, predicate or note is of a kind that model files cannot hold.
    package final func archivedData(omitsForeignDefaults: Bool = false) throws -> Data {
        try CompiledModelWriter.archive(of: self, omitsForeignDefaults: omitsForeignDefaults)
    }

    /// Reads the contents of a `.mom` file, or an inflated `Z_MODELCACHE`. Throws a `ModelFileError`.
    package convenience init(archivedData: Data) throws {
        self.init()
        try CompiledModelReader.read(archivedData, into: self)
    }
}
