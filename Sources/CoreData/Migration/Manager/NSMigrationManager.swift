@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel
import Synchronization

/// Migrates a store to another model, and to another kind of store if wanted, by a mapping model
/// (Apple: NSMigrationManager).
///
/// It opens the source for reading and the destination for writing, each with a context of its own, and takes all mappings
/// through three passes: objects, relationships, validation. Memory stays bounded: objects come and go in batches. Use it
/// on one thread.
open class NSMigrationManager: NSObject {
    /// The model of the source: a copy of the one that was given, whose entities are all represented by `NSManagedObject`.
    open private(set) var sourceModel: NSManagedObjectModel
    /// The model of the destination: a copy of the one that was given, whose entities are all represented by
    /// `NSManagedObject`.
    open private(set) var destinationModel: NSManagedObjectModel
    /// The mapping model of the migration that is under way.
    open internal(set) var mappingModel: NSMappingModel!
    /// The context that reads the source. Don't change objects in it. It is there during a migration only.
    open internal(set) var sourceContext: NSManagedObjectContext!
    /// The context that makes the new objects. It is there during a migration only.
    open internal(set) var destinationContext: NSManagedObjectContext!
    /// The mapping that is under way. Each is three times. It can be observed.
    open internal(set) var currentEntityMapping: NSEntityMapping! {
        willSet { willChangeValue(forKey: "currentEntityMapping") }
        didSet { didChangeValue(forKey: "currentEntityMapping") }
    }
    /// How much is done, from 0 to 1; 1 while nothing is under way. It can be observed.
    open internal(set) var migrationProgress: Float = 1 {
        willSet { willChangeValue(forKey: "migrationProgress") }
        didSet { didChangeValue(forKey: "migrationProgress") }
    }
    /// What policies keep for each other.
    open var userInfo: [AnyHashable: Any]?
    /// Whether a store may migrate in its own, faster way where the mapping was inferred. True by default.
    ///
    /// The package's stores have such a way only where they lie, so a manager, which leaves the source as it is, always goes
    /// object by object, and policies are called and progress reported whatever this says (our choice).
    open var usesStoreSpecificMigrationManager = true

    var associations = MigrationAssociations()
    /// New objects that have no permanent identity yet, with what they were made from.
    var pending: [(source: ObjectKey, destination: NSManagedObject, mapping: String)] = []
    /// What policies made beside the objects that they were asked for. Many look for it among the context's registered
    /// objects, to make it once only, so it stays until the end.
    var additions: [NSManagedObject] = []
    /// How attributes are set, by mapping and entities, while a migration is under way.
    var attributePlans: [AttributePlanKey: AttributePlan] = [:]
    /// The relationships that the mapping model sets.
    var mappedRelationships: Set<MappedRelationship> = []
    var sourceStore: NSPersistentStore?
    var destinationStore: NSPersistentStore?
    /// Models don't keep theirs.
    private let layouts: [ModelLayout]
    private let cancellation = Mutex<(any Error)?>(nil)

    /// Makes a manager for stores of two models.
    ///
    /// It works with copies of them in which the class of all entities is `NSManagedObject`, so that no class of the app,
    /// which may not fit the old model, changes an object on its way (Apple: The Migration Process).
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        _ = Self.keyPathNames
        layouts = [sourceModel, destinationModel].map(ModelLayout.ofPlainCopy)
        self.sourceModel = layouts[0].model
        self.destinationModel = layouts[1].model
        super.init()
    }

    /// What a migration of a store that is being opened adds to what `migrateStore` says.
    struct Surroundings {
        var sourceConfiguration: String?
        var destinationConfiguration: String?
        /// Called with the part that is done, from 0 to 1.
        var progress: (Float) -> Void = { _ in }
    }
    var surroundings: Surroundings?

    /// Makes the key paths of what can be observed known, once.
    private static let keyPathNames: Void = KeyPathNames.register(later: {
        [
            \NSMigrationManager.migrationProgress: "migrationProgress",
            \NSMigrationManager.currentEntityMapping: "currentEntityMapping",
        ]
    })

    /// Forgets which objects were made from which, so that the manager can be used again.
    open func reset() {
        associations = MigrationAssociations()
        pending = []
        cancellation.withLock { $0 = nil }
    }

    /// Ends the migration before its next object, with this error. May be called from a policy, or on another thread.
    open func cancelMigrationWithError(_ error: any Error) { cancellation.withLock { $0 = error } }

    func checkCancellation() throws {
        if let error = cancellation.withLock({ $0 }) { throw error }
    }

    // MARK: Entities

    /// The source entity of a mapping; nil where the mapping makes a new entity.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
    }

    /// The destination entity of a mapping; nil where the mapping removes one.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
    }

    // MARK: Objects

    /// Records that a mapping has made a new object from an old one.
    open func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) { recordOrigin(sourceInstance, of: destinationInstance, by: entityMapping) }

    /// The objects that a mapping made from these source objects; from any for nil.
    ///
    /// The program stops at the name of a mapping that there isn't.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] { destinations(ofMapping: mappingName, from: sourceInstances) }

    /// The objects that a mapping made these new ones from; all of them for nil.
    ///
    /// The program stops at the name of a mapping that there isn't.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] { sources(ofMapping: mappingName, for: destinationInstances) }

    // MARK: Migrating

    /// Migrates a store. See ``migrateStore(from:type:options:mapping:to:type:options:)``.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        var source = MigrationStore(url: sourceURL, type: sStoreType, options: sOptions)
        source.configuration = surroundings?.sourceConfiguration ?? source.configuration(in: sourceModel)
        var destination = MigrationStore(url: dURL, type: dStoreType, options: dOptions)
        destination.configuration =
            surroundings.map(\.destinationConfiguration)
            // The new store of one that was made for a configuration is made for that of the same name (seen in the tests of
            // TMLPersistentContainer, which open it so).
            ?? destination.configuration(in: destinationModel, orForNew: source.configuration)
        try MigrationRun(manager: self, mappingModel: mappings, progress: surroundings?.progress ?? { _ in })
            .run(from: source, to: destination)
    }

    /// Migrates a store to a place where there is none yet, or that has one of the destination's model, to which the
    /// objects are added then. The source doesn't change.
    ///
    /// - Throws: `NSMigrationMissingMappingModelError` (134140), `NSMigrationManagerSourceStoreError` (134150) and
    ///   `NSMigrationManagerDestinationStoreError` (134160) where a store can't be opened, and what policies throw.
    ///   The objects that were inserted into the destination are taken back then, or the store that was made; what a policy
    ///   has changed of objects that were there before stays.
    open func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil,
        mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions, with: mapping,
            toDestinationURL: destinationURL, destinationType: destinationType.rawValue,
            destinationOptions: destinationOptions)
    }
}
