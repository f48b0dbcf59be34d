import Foundation
import FoundationCompat
import ManagedObjectModel

// Initialisers on metatype values, as `MetatypeInitializers.swift` explains them.

extension NSMigrationManager {
    @usableFromInline convenience init(plainlyFrom source: NSManagedObjectModel, to destination: NSManagedObjectModel) {
        self.init(sourceModel: source, destinationModel: destination)
    }

    /// Makes a manager of the class itself.
    @_silgen_name("$s8CoreData18NSMigrationManagerC11plainlyFrom2toAC18ManagedObjectModel09NSManagediJ0C_AHtcfC")
    static func made(from source: __owned NSManagedObjectModel, to destination: __owned NSManagedObjectModel) -> Self
}

extension NSObjectProtocol where Self: NSMigrationManager {
    /// `init(sourceModel:destinationModel:)` on a metatype value.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.init(
            by: MetatypeConstruction { ($0 as! NSMigrationManager.Type).made(from: sourceModel, to: destinationModel) })
    }
}

extension NSObjectProtocol where Self: NSEntityMigrationPolicy {
    /// `init()` on a metatype value.
    public init(_: Void = ()) { self.init(plainly: ()) }
}
