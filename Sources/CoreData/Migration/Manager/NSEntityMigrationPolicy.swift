import Foundation
import FoundationCompat

/// Carries an entity mapping out; subclasses change how (Apple: NSEntityMigrationPolicy).
///
/// For each mapping ``begin(_:with:)`` comes first, then ``createDestinationInstances(forSource:in:manager:)`` for each
/// source object and ``endInstanceCreation(forMapping:manager:)``. When all mappings have come so far, each goes on with
/// ``createRelationships(forDestination:in:manager:)`` for each new object and
/// ``endRelationshipCreation(forMapping:manager:)``, and at last with ``performCustomValidation(forMapping:manager:)`` and
/// ``end(_:manager:)``. What any of them throws ends the migration.
///
/// On Linux there is no message sending: the methods that `FUNCTION($entityPolicy, …)` calls are those that `CoreDataModelPlugin`
/// has seen declared with `@objc`; a subclass in a target without the plugin overrides ``perform(selector:arguments:)``.
open class NSEntityMigrationPolicy: NSObject, SelectorPerforming {
    /// Makes a policy; a migration makes one for each mapping that names the class.
    public override init() { super.init() }

    /// The mapping begins. What it throws ends the migration.
    open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

    /// Makes the object, or objects, for a source object: one of the destination entity, with the values of the attribute
    /// mappings. A subclass that doesn't call super has to tell the manager which objects it made
    /// (``NSMigrationManager/associate(sourceInstance:withDestinationInstance:for:)``).
    ///
    /// - Throws: what the mapping's expressions throw, and what a value meets that the destination can't have. It ends the migration.
    open func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let destination = try manager.insertDestination(for: mapping)
        try manager.setAttributes(of: destination, from: sInstance, by: mapping, policy: self)
        manager.associate(sourceInstance: sInstance, withDestinationInstance: destination, for: mapping)
    }

    /// All objects of the mapping were made. What it throws ends the migration.
    open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Sets the relationships of a new object, by the relationship mappings.
    ///
    /// - Throws: what the mapping's expressions throw, and what a value meets that the relationship can't have. It ends the migration.
    open func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        let properties = manager.relationshipsToSet(by: mapping, of: dInstance.layout)
        guard !properties.isEmpty else { return }
        let source = manager.sourceInstances(
            forEntityMappingName: mapping.name, destinationInstances: [dInstance]
        ).first
        var scope = MappingScope(
            manager: manager, source: source, destination: dInstance, mapping: mapping, policy: self)
        for property in properties {
            guard let name = property.name else { continue }
            let value = try manager.value(of: property, in: &scope)
            try manager.set(value, forRelationship: name, of: dInstance, mapping: mapping)
        }
    }

    /// All relationships of the mapping's objects were set. What it throws ends the migration.
    open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Checks what the mapping has made, beside what the model demands. What it throws ends the migration.
    open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// The mapping ends. What it throws ends the migration.
    open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

    /// Calls a method that an expression names, as `FUNCTION($entityPolicy, "selector:", …)`. An addition to Apple's API.
    ///
    /// - Throws: `UnknownSelectorError`, unless a subclass has the method, and generated code has registered it.
    open func perform(selector: String, arguments: [Any?]) throws -> Any? {
        guard let declared = try DeclaredMethods.call(selector, of: self, arguments) else {
            throw UnknownSelectorError(self, selector: selector)
        }
        return declared.value
    }
}
