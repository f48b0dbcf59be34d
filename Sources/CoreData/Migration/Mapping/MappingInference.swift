import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

/// Works mappings out from two models, with Apple's names (`IEM_Copy_…`).
struct MappingInference {
    /// The selector of the manager that finds the new objects of a relationship, whichever mapping made them.
    static let relationshipSelector = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    private let pairing: ModelPairing

    /// - Parameter hasValues: whether the store is known to have a value wherever one became required.
    /// - Throws: `NSInferredMappingModelError` that names what can't be inferred.
    init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel, hasValues: Bool = false) throws {
        let obstacles = ModelDifference(from: source, to: destination).obstacles
            .filter { !(hasValues && $0.dependsOnValues) }
        guard obstacles.isEmpty else { throw MigrationError.notInferable(obstacles) }
        self.source = source
        self.destination = destination
        pairing = ModelPairing(from: source, to: destination)
    }

    /// Removals first, then new entities, then those that stay, by name.
    func entityMappings() -> [NSEntityMapping] {
        let removals = pairing.removed.map { entity in
            mapping("IEM_Remove_\(entity.name ?? "")", .removeEntityMappingType, from: entity, to: nil)
        }
        let others = pairing.entities.map { old, new -> NSEntityMapping in
            let name = new.name ?? ""
            guard let old else { return mapping("IEM_Add_\(name)", .addEntityMappingType, from: nil, to: new) }
            let isSame = old.versionHash == new.versionHash
            let made = mapping(
                isSame ? "IEM_Copy_\(name)" : "IEM_Transform_\(name)",
                isSame ? .copyEntityMappingType : .transformEntityMappingType, from: old, to: new)
            addProperties(to: made, from: old, to: new)
            return made
        }
        return removals + others
    }

    private func mapping(
        _ name: String, _ type: NSEntityMappingType, from source: NSEntityDescription?,
        to destination: NSEntityDescription?
    ) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = name
        mapping.mappingType = type
        mapping.sourceEntityName = source?.name
        mapping.sourceEntityVersionHash = source?.versionHash
        mapping.destinationEntityName = destination?.name
        mapping.destinationEntityVersionHash = destination?.versionHash
        mapping.attributeMappings = []
        mapping.relationshipMappings = []
        if let name = source?.name, destination != nil { mapping.sourceExpression = Self.allObjects(of: name) }
        return mapping
    }

    /// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", …), $manager.sourceContext, NO)`,
    /// as compiled mapping models have it.
    private static func allObjects(of entity: String) -> NSExpression {
        let manager = NSExpression(forVariable: "manager")
        let request = NSExpression(
            forFunction: manager, selectorName: NSMigrationManager.Function.sourceRequest,
            arguments: [NSExpression(forConstantValue: entity), NSExpression(forConstantValue: "TRUEPREDICATE")])
        let context = NSExpression(form: .keyPath(operand: manager, ParsedKeyPath("sourceContext")))
        return NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: false)
    }

    private func addProperties(
        to mapping: NSEntityMapping, from old: NSEntityDescription, to new: NSEntityDescription
    ) {
        let pairs = ModelPairing.properties(from: old, to: new).pairs
        for case (let former?, let current) in pairs
        where !former.isTransient && !current.isTransient {
            switch (former, current) {
            case (is NSAttributeDescription, is NSDerivedAttributeDescription): continue
            case (let former as NSAttributeDescription, let current as NSAttributeDescription):
                mapping.attributeMappings?.append(
                    property(current.name, Self.value(of: former, for: current)))
            case (is NSRelationshipDescription, is NSRelationshipDescription):
                let objects = NSExpression(
                    forFunction: NSExpression(forVariable: "manager"), selectorName: Self.relationshipSelector,
                    arguments: [NSExpression(forConstantValue: former.name), Self.source(former.name)])
                mapping.relationshipMappings?.append(property(current.name, objects))
            default: continue
            }
        }
        let mapped = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
        let kept = Set(pairs.compactMap { $0.0?.name })
        // As Apple's inference notes them, under names that it doesn't document (seen in tests of CoreDataPlus).
        mapping.userInfo = [
            "mappedProperties": Set(mapped.compactMap(\.name)),
            "addedProperties": Set(pairs.filter { $0.0 == nil }.map(\.1.name)),
            "removedProperties": Set(old.propertiesByName.keys.filter { !kept.contains($0) }),
        ]
    }

    private static func source(_ key: String) -> NSExpression {
        NSExpression(form: .keyPath(operand: NSExpression(forVariable: "source"), ParsedKeyPath(keys: [key])))
    }

    /// The old value; the default where there is none and there has to be one now.
    private static func value(of former: NSAttributeDescription, for current: NSAttributeDescription) -> NSExpression {
        let value = source(former.name)
        guard former.isOptional, !current.isOptional, let initial = current.defaultValue else { return value }
        let isMissing = NSComparisonPredicate(
            leftExpression: value, rightExpression: NSExpression(forConstantValue: nil), modifier: .direct,
            type: .equalTo, options: [])
        return NSExpression(
            forConditional: isMissing, trueExpression: NSExpression(forConstantValue: initial), falseExpression: value)
    }

    private func property(_ name: String, _ expression: NSExpression) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.valueExpression = expression
        return mapping
    }
}
