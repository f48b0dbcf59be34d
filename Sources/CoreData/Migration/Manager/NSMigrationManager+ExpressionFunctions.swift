@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate

/// What expressions of a mapping model may ask the manager.
extension NSMigrationManager: SelectorPerforming, KeyValueCoding {
    /// The methods that compiled mapping models call (seen in the fixtures V2toV3.cdm).
    enum Function {
        static let sourceRequest = "fetchRequestForSourceEntityNamed:predicateString:"
        static let destinations = "destinationInstancesForEntityMappingNamed:sourceInstances:"
        static let sources = "sourceInstancesForEntityMappingNamed:destinationInstances:"
    }

    /// Calls a method by its selector, for `FUNCTION($manager, …)`: one of these that compiled mapping models call, or one that a
    /// subclass declares with `@objc`, where generated code has registered it.
    ///
    /// - Throws: `UnknownSelectorError`, or what is wrong with an argument.
    public func perform(selector: String, arguments: [Any?]) throws -> Any? {
        guard arguments.count == selector.count(where: { $0 == ":" }) else {
            throw UnknownSelectorError(self, selector: selector)
        }
        switch selector {
        case Function.sourceRequest:
            return try sourceRequest(entity: arguments[0] as? String, predicate: arguments[1] as? String)
        case Function.destinations:
            // A relationship without objects has none in the new store either; it doesn't mean all.
            return destinationInstances(
                forEntityMappingName: try mappingName(arguments[0]),
                sourceInstances: Self.objects(in: arguments[1]))
        case Function.sources:
            return sourceInstances(
                forEntityMappingName: try mappingName(arguments[0]),
                destinationInstances: Self.objects(in: arguments[1]))
        case MappingInference.relationshipSelector:
            return destinationInstances(of: Self.objects(in: arguments[1]))
        case _ where Self.keys.contains(selector):
            return kvcValue(forKey: selector)
        default:
            guard let declared = try DeclaredMethods.call(selector, of: self, arguments) else {
                throw UnknownSelectorError(self, selector: selector)
            }
            return declared.value
        }
    }

    /// The objects of an argument. A set's come in the order of their keys: the relationship may be ordered from now on.
    private static func objects(in argument: Any?) -> [NSManagedObject] {
        let objects = NSManagedObject.objects(in: argument)
        let isSet = argument is Set<NSManagedObject> || argument is NSSet
        return isSet ? objects.sorted { $0.savedKey.handle < $1.savedKey.handle } : objects
    }

    private func mappingName(_ argument: Any?) throws -> String {
        guard let name = argument as? String, mappingModel?.entityMappingsByName[name] != nil else {
            throw MigrationError.make(
                "An expression names the mapping '\(argument ?? "nil")', which the mapping model hasn't.",
                code: NSEntityMigrationPolicyError)
        }
        return name
    }

    /// The objects of an entity itself; those of subentities have mappings of their own.
    private func sourceRequest(entity: String?, predicate: String?) throws -> NSFetchRequest<NSManagedObject> {
        guard let entity, sourceModel.entitiesByName[entity] != nil else {
            throw MigrationError.make(
                "A mapping fetches the entity '\(entity ?? "nil")', which the source model hasn't.",
                code: NSEntityMigrationPolicyError)
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.includesSubentities = false
        if let predicate, predicate != "TRUEPREDICATE" { request.predicate = try NSPredicate.parse(predicate) }
        return request
    }

    private static let keys = [
        "sourceModel", "destinationModel", "sourceContext", "destinationContext", "mappingModel",
        "currentEntityMapping", "migrationProgress", "userInfo", "usesStoreSpecificMigrationManager",
    ]

    /// Whether an expression of a mapping may read the key: the manager's models, contexts, mapping, progress and user
    /// info.
    public func definesKVCValue(forKey key: String) -> Bool { Self.keys.contains(key) }

    /// The value of one of the keys that expressions of a mapping may read. Any other key stops the program.
    public func kvcValue(forKey key: String) -> Any? {
        switch key {
        case "sourceModel": sourceModel
        case "destinationModel": destinationModel
        case "sourceContext": sourceContext
        case "destinationContext": destinationContext
        case "mappingModel": mappingModel
        case "currentEntityMapping": currentEntityMapping
        case "migrationProgress": NSNumber(value: migrationProgress)
        case "userInfo": userInfo
        case "usesStoreSpecificMigrationManager": NSNumber(value: usesStoreSpecificMigrationManager)
        default: fatalError("\(UndefinedKeyError(self, key: key))")
        }
    }

    /// Sets `userInfo` or `usesStoreSpecificMigrationManager`. Any other key stops the program.
    public func setKVCValue(_ value: Any?, forKey key: String) {
        switch key {
        case "userInfo": userInfo = value as? [AnyHashable: Any]
        case "usesStoreSpecificMigrationManager":
            usesStoreSpecificMigrationManager = (value as? NSNumber)?.boolValue ?? false
        default: fatalError("\(UndefinedKeyError(self, key: key))")
        }
    }
}
