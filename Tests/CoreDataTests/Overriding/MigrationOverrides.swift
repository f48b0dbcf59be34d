import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSCustomMigrationStageDouble: NSCustomMigrationStage {
    override var currentModel: NSManagedObjectModelReference { super.currentModel }
    override var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)? {
        get { super.didMigrateHandler }
        set { super.didMigrateHandler = newValue }
    }
    override var nextModel: NSManagedObjectModelReference { super.nextModel }
    override var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)? {
        get { super.willMigrateHandler }
        set { super.willMigrateHandler = newValue }
    }
}

private final class NSEntityMappingDouble: NSEntityMapping {
    override var attributeMappings: [NSPropertyMapping]? {
        get { super.attributeMappings }
        set { super.attributeMappings = newValue }
    }
    override var destinationEntityName: String? {
        get { super.destinationEntityName }
        set { super.destinationEntityName = newValue }
    }
    override var destinationEntityVersionHash: Data? {
        get { super.destinationEntityVersionHash }
        set { super.destinationEntityVersionHash = newValue }
    }
    override var entityMigrationPolicyClassName: String? {
        get { super.entityMigrationPolicyClassName }
        set { super.entityMigrationPolicyClassName = newValue }
    }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var mappingType: NSEntityMappingType {
        get { super.mappingType }
        set { super.mappingType = newValue }
    }
    override var name: String! {
        get { super.name }
        set { super.name = newValue }
    }
    override var relationshipMappings: [NSPropertyMapping]? {
        get { super.relationshipMappings }
        set { super.relationshipMappings = newValue }
    }
    override var sourceEntityName: String? {
        get { super.sourceEntityName }
        set { super.sourceEntityName = newValue }
    }
    override var sourceEntityVersionHash: Data? {
        get { super.sourceEntityVersionHash }
        set { super.sourceEntityVersionHash = newValue }
    }
    override var sourceExpression: NSExpression? {
        get { super.sourceExpression }
        set { super.sourceExpression = newValue }
    }
    override var userInfo: [AnyHashable: Any]? {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
}

private final class NSEntityMigrationPolicyDouble: NSEntityMigrationPolicy {
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        try super.begin(mapping, with: manager)
    }
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try super.end(mapping, manager: manager)
    }
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try super.endInstanceCreation(forMapping: mapping, manager: manager)
    }
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try super.endRelationshipCreation(forMapping: mapping, manager: manager)
    }
    override func perform(selector: String, arguments: [Any?]) throws -> Any? {
        try super.perform(selector: selector, arguments: arguments)
    }
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        try super.performCustomValidation(forMapping: mapping, manager: manager)
    }
}

private final class NSLightweightMigrationStageDouble: NSLightweightMigrationStage {
    override var versionChecksums: [String] { super.versionChecksums }
}

private final class NSManagedObjectModelReferenceDouble: NSManagedObjectModelReference {
    override var resolvedModel: NSManagedObjectModel { super.resolvedModel }
    override var versionChecksum: String { super.versionChecksum }
}

private final class NSMappingModelDouble: NSMappingModel {
    override var entityMappings: [NSEntityMapping]! {
        get { super.entityMappings }
        set { super.entityMappings = newValue }
    }
    override var entityMappingsByName: [String: NSEntityMapping] { super.entityMappingsByName }
    override var hash: Int { super.hash }
    override class func inferredMappingModel(
        forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
    ) throws -> NSMappingModel {
        try super.inferredMappingModel(forSourceModel: sourceModel, destinationModel: destinationModel)
    }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
}

private final class NSMigrationManagerDouble: NSMigrationManager {
    override func associate(
        sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        super.associate(
            sourceInstance: sourceInstance, withDestinationInstance: destinationInstance, for: entityMapping)
    }
    override func cancelMigrationWithError(_ error: any Error) {
        super.cancelMigrationWithError(error)
    }
    override var currentEntityMapping: NSEntityMapping! { super.currentEntityMapping }
    override var destinationContext: NSManagedObjectContext! { super.destinationContext }
    override func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        super.destinationEntity(for: mEntity)
    }
    override func destinationInstances(forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?)
        -> [NSManagedObject]
    {
        super.destinationInstances(forEntityMappingName: mappingName, sourceInstances: sourceInstances)
    }
    override var destinationModel: NSManagedObjectModel { super.destinationModel }
    override var mappingModel: NSMappingModel! { super.mappingModel }
    override func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]?,
        with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]?
    ) throws {
        try super.migrateStore(
            from: sourceURL, sourceType: sStoreType, options: sOptions, with: mappings, toDestinationURL: dURL,
            destinationType: dStoreType, destinationOptions: dOptions)
    }
    override func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]?,
        mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]?
    ) throws {
        try super.migrateStore(
            from: sourceURL, type: sourceType, options: sourceOptions, mapping: mapping, to: destinationURL,
            type: destinationType, options: destinationOptions)
    }
    override var migrationProgress: Float { super.migrationProgress }
    override func reset() {
        super.reset()
    }
    override var sourceContext: NSManagedObjectContext! { super.sourceContext }
    override func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        super.sourceEntity(for: mEntity)
    }
    override func sourceInstances(forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?)
        -> [NSManagedObject]
    {
        super.sourceInstances(forEntityMappingName: mappingName, destinationInstances: destinationInstances)
    }
    override var sourceModel: NSManagedObjectModel { super.sourceModel }
    override var userInfo: [AnyHashable: Any]? {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
    override var usesStoreSpecificMigrationManager: Bool {
        get { super.usesStoreSpecificMigrationManager }
        set { super.usesStoreSpecificMigrationManager = newValue }
    }
}

private final class NSMigrationStageDouble: NSMigrationStage {
    override var label: String! {
        get { super.label }
        set { super.label = newValue }
    }
}

private final class NSPropertyMappingDouble: NSPropertyMapping {
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var name: String? {
        get { super.name }
        set { super.name = newValue }
    }
    override var userInfo: [AnyHashable: Any]? {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
    override var valueExpression: NSExpression? {
        get { super.valueExpression }
        set { super.valueExpression = newValue }
    }
}

private final class NSStagedMigrationManagerDouble: NSStagedMigrationManager {
    override var container: NSPersistentContainer? { super.container }
    override var stages: [NSMigrationStage] { super.stages }
}
