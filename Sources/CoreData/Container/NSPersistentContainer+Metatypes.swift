import Foundation
import FoundationCompat
import ManagedObjectModel

// Initialisers on metatype values, as `MetatypeInitializers.swift` explains them.

extension NSPersistentContainer {
    @usableFromInline convenience init(plainlyNamed name: String, model: NSManagedObjectModel) {
        self.init(name: name, managedObjectModel: model)
    }

    @_silgen_name("$s8CoreData21NSPersistentContainerC12plainlyNamed5modelACSS_18ManagedObjectModel09NSManagediJ0CtcfC")
    fileprivate static func made(named name: __owned String, model: __owned NSManagedObjectModel) -> Self
}

extension NSObjectProtocol where Self: NSPersistentContainer {
    /// `init(name:managedObjectModel:)` on a metatype value.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.init(by: MetatypeConstruction { ($0 as! NSPersistentContainer.Type).made(named: name, model: model) })
    }

    /// `init(name:)` on a metatype value.
    public init(name: String) { self.init(name: name, managedObjectModel: ModelLookup.model(named: name)) }
}
