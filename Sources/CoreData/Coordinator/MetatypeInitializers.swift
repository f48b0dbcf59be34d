import Foundation
import FoundationCompat
import ManagedObjectModel

// The initialisers of the stack's classes on metatype values, as Apple's, being Objective-C's, have them all, and none of which a
// subclass must write. The program stops where a subclass lacks the initialiser that is called.
//
// Each class has an initialiser that calls the one that subclasses override; the symbol below it is that initialiser's, which
// allocates an instance of the class that it is called on.

extension NSPersistentStoreCoordinator {
    @usableFromInline convenience init(plainlyFor model: NSManagedObjectModel) { self.init(managedObjectModel: model) }

    @_silgen_name("$s8CoreData28NSPersistentStoreCoordinatorC10plainlyForAC18ManagedObjectModel09NSManagediJ0C_tcfC")
    fileprivate static func made(for model: __owned NSManagedObjectModel) -> Self
}

extension NSObjectProtocol where Self: NSPersistentStoreCoordinator {
    /// `init(managedObjectModel:)` on a metatype value.
    public init(managedObjectModel model: NSManagedObjectModel) {
        self.init(by: MetatypeConstruction { ($0 as! NSPersistentStoreCoordinator.Type).made(for: model) })
    }
}

extension NSManagedObjectContext {
    @usableFromInline convenience init(plainlyOf type: NSManagedObjectContextConcurrencyType) {
        self.init(concurrencyType: type)
    }

    @_silgen_name("$s8CoreData22NSManagedObjectContextC9plainlyOfAcA0cdE15ConcurrencyTypeO_tcfC")
    fileprivate static func made(of type: NSManagedObjectContextConcurrencyType) -> Self
}

extension NSObjectProtocol where Self: NSManagedObjectContext {
    /// `init(concurrencyType:)` on a metatype value.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self.init(by: MetatypeConstruction { ($0 as! NSManagedObjectContext.Type).made(of: concurrencyType) })
    }

    /// The spelling of newer SDKs, on a metatype value.
    public init(_ type: NSManagedObjectContext.ConcurrencyType) { self.init(concurrencyType: type.rawValue) }
}

extension NSPersistentStore {
    @usableFromInline convenience init(
        plainlyIn coordinator: NSPersistentStoreCoordinator?, configuration: String?, url: URL,
        options: [AnyHashable: Any]?
    ) {
        self.init(
            persistentStoreCoordinator: coordinator, configurationName: configuration, at: url, options: options)
    }

    /// Makes a store of the class itself, which is not opened yet.
    @_silgen_name(
        "$s8CoreData17NSPersistentStoreC9plainlyIn13configuration3url7optionsAcA0cD11CoordinatorCSg_SSSg20FoundationEssentials3URLVSDys11AnyHashableVypGSgtcfC"
    )
    static func made(
        in coordinator: __owned NSPersistentStoreCoordinator?, configuration: __owned String?, at url: __owned URL,
        options: __owned [AnyHashable: Any]?
    ) -> Self
}

extension NSObjectProtocol where Self: NSPersistentStore {
    /// `init(persistentStoreCoordinator:configurationName:at:options:)` on a metatype value.
    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        self.init(
            by: MetatypeConstruction {
                ($0 as! NSPersistentStore.Type).made(in: root, configuration: name, at: url, options: options)
            })
    }
}

extension NSObjectProtocol where Self: NSPersistentStoreDescription {
    /// `init()` on a metatype value.
    public init(_: Void = ()) { self.init(plainly: ()) }

    /// `init(url:)` on a metatype value.
    public init(url: URL) {
        self.init(
            by: MetatypeConstruction {
                ($0 as! NSPersistentStoreDescription.Type).made(at: url)
            })
    }
}

extension NSPersistentStoreDescription {
    @usableFromInline convenience init(plainlyAt url: URL) { self.init(url: url) }

    @_silgen_name("$s8CoreData28NSPersistentStoreDescriptionC9plainlyAtAC20FoundationEssentials3URLV_tcfC")
    fileprivate static func made(at url: __owned URL) -> Self
}
