import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSAttributeDescriptionDouble: NSAttributeDescription {
    override var allowsCloudEncryption: Bool {
        get { super.allowsCloudEncryption }
        set { super.allowsCloudEncryption = newValue }
    }
    override var allowsExternalBinaryDataStorage: Bool {
        get { super.allowsExternalBinaryDataStorage }
        set { super.allowsExternalBinaryDataStorage = newValue }
    }
    override var attributeType: NSAttributeType {
        get { super.attributeType }
        set { super.attributeType = newValue }
    }
    override var attributeValueClassName: String? {
        get { super.attributeValueClassName }
        set { super.attributeValueClassName = newValue }
    }
    override var defaultValue: Any? {
        get { super.defaultValue }
        set { super.defaultValue = newValue }
    }
    override var preservesValueInHistoryOnDeletion: Bool {
        get { super.preservesValueInHistoryOnDeletion }
        set { super.preservesValueInHistoryOnDeletion = newValue }
    }
    override var type: NSAttributeDescription.AttributeType {
        get { super.type }
        set { super.type = newValue }
    }
    override var valueTransformerName: String? {
        get { super.valueTransformerName }
        set { super.valueTransformerName = newValue }
    }
}

private final class NSCompositeAttributeDescriptionDouble: NSCompositeAttributeDescription {
    override var elements: [NSAttributeDescription] {
        get { super.elements }
        set { super.elements = newValue }
    }
}

private final class NSDerivedAttributeDescriptionDouble: NSDerivedAttributeDescription {
    override var derivationExpression: NSExpression? {
        get { super.derivationExpression }
        set { super.derivationExpression = newValue }
    }
}

private final class NSEntityDescriptionDouble: NSEntityDescription {
    override var attributesByName: [String: NSAttributeDescription] { super.attributesByName }
    override var compoundIndexes: [[Any]] {
        get { super.compoundIndexes }
        set { super.compoundIndexes = newValue }
    }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var coreSpotlightDisplayNameExpression: NSExpression {
        get { super.coreSpotlightDisplayNameExpression }
        set { super.coreSpotlightDisplayNameExpression = newValue }
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var hash: Int { super.hash }
    override var indexes: [NSFetchIndexDescription] {
        get { super.indexes }
        set { super.indexes = newValue }
    }
    override var isAbstract: Bool {
        get { super.isAbstract }
        set { super.isAbstract = newValue }
    }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override func isKindOf(entity: NSEntityDescription) -> Bool {
        super.isKindOf(entity: entity)
    }
    override var managedObjectClassName: String! {
        get { super.managedObjectClassName }
        set { super.managedObjectClassName = newValue }
    }
    override var managedObjectModel: NSManagedObjectModel { super.managedObjectModel }
    override var name: String? {
        get { super.name }
        set { super.name = newValue }
    }
    override var properties: [NSPropertyDescription] {
        get { super.properties }
        set { super.properties = newValue }
    }
    override var propertiesByName: [String: NSPropertyDescription] { super.propertiesByName }
    override func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
        super.relationships(forDestination: entity)
    }
    override var relationshipsByName: [String: NSRelationshipDescription] { super.relationshipsByName }
    override var renamingIdentifier: String? {
        get { super.renamingIdentifier }
        set { super.renamingIdentifier = newValue }
    }
    override var subentities: [NSEntityDescription] {
        get { super.subentities }
        set { super.subentities = newValue }
    }
    override var subentitiesByName: [String: NSEntityDescription] { super.subentitiesByName }
    override var superentity: NSEntityDescription? { super.superentity }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
    override var uniquenessConstraints: [[Any]] {
        get { super.uniquenessConstraints }
        set { super.uniquenessConstraints = newValue }
    }
    override var userInfo: [AnyHashable: Any]? {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
    override var versionHash: Data { super.versionHash }
    override var versionHashModifier: String? {
        get { super.versionHashModifier }
        set { super.versionHashModifier = newValue }
    }
}

private final class NSExpressionDescriptionDouble: NSExpressionDescription {
    override var expression: NSExpression? {
        get { super.expression }
        set { super.expression = newValue }
    }
    override var expressionResultType: NSAttributeType {
        get { super.expressionResultType }
        set { super.expressionResultType = newValue }
    }
    override var resultType: NSAttributeDescription.AttributeType {
        get { super.resultType }
        set { super.resultType = newValue }
    }
}

private final class NSFetchedPropertyDescriptionDouble: NSFetchedPropertyDescription {
    override var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        get { super.fetchRequest }
        set { super.fetchRequest = newValue }
    }
}

private final class NSFetchIndexDescriptionDouble: NSFetchIndexDescription {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var elements: [NSFetchIndexElementDescription] {
        get { super.elements }
        set { super.elements = newValue }
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override weak var entity: NSEntityDescription? { super.entity }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var name: String {
        get { super.name }
        set { super.name = newValue }
    }
    override var partialIndexPredicate: NSPredicate? {
        get { super.partialIndexPredicate }
        set { super.partialIndexPredicate = newValue }
    }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
}

private final class NSFetchIndexElementDescriptionDouble: NSFetchIndexElementDescription {
    override var collationType: NSFetchIndexElementType {
        get { super.collationType }
        set { super.collationType = newValue }
    }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var hash: Int { super.hash }
    override weak var indexDescription: NSFetchIndexDescription? { super.indexDescription }
    override var isAscending: Bool {
        get { super.isAscending }
        set { super.isAscending = newValue }
    }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var property: NSPropertyDescription? { super.property }
    override var propertyName: String? { super.propertyName }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
}

private final class NSManagedObjectModelDouble: NSManagedObjectModel {
    override var configurations: [String] { super.configurations }
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var entities: [NSEntityDescription] {
        get { super.entities }
        set { super.entities = newValue }
    }
    override func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        super.entities(forConfigurationName: configuration)
    }
    override var entitiesByName: [String: NSEntityDescription] { super.entitiesByName }
    override var entityVersionHashesByName: [String: Data] { super.entityVersionHashesByName }
    override func fetchRequestFromTemplate(withName name: String, substitutionVariables variables: [String: Any])
        -> NSFetchRequest<any NSFetchRequestResult>?
    {
        super.fetchRequestFromTemplate(withName: name, substitutionVariables: variables)
    }
    override func fetchRequestTemplate(forName name: String) -> NSFetchRequest<any NSFetchRequestResult>? {
        super.fetchRequestTemplate(forName: name)
    }
    override var fetchRequestTemplatesByName: [String: NSFetchRequest<any NSFetchRequestResult>] {
        super.fetchRequestTemplatesByName
    }
    override var hash: Int { super.hash }
    override func isConfiguration(withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any])
        -> Bool
    {
        super.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
    }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var localizationDictionary: [String: String]? {
        get { super.localizationDictionary }
        set { super.localizationDictionary = newValue }
    }
    override class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        super.mergedModel(from: bundles)
    }
    override class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any])
        -> NSManagedObjectModel?
    {
        super.mergedModel(from: bundles, forStoreMetadata: metadata)
    }
    override func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        super.setEntities(entities, forConfigurationName: configuration)
    }
    override func setFetchRequestTemplate(_ fetchRequestTemplate: AnyFetchRequest?, forName name: String) {
        super.setFetchRequestTemplate(fetchRequestTemplate, forName: name)
    }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
    override var versionChecksum: String { super.versionChecksum }
    override var versionIdentifiers: Set<AnyHashable> {
        get { super.versionIdentifiers }
        set { super.versionIdentifiers = newValue }
    }
}

private final class NSPropertyDescriptionDouble: NSPropertyDescription {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
    }
    override var entity: NSEntityDescription { super.entity }
    override var hash: Int { super.hash }
    override func isEqual(_ object: Any?) -> Bool {
        super.isEqual(object)
    }
    override var isIndexed: Bool {
        get { super.isIndexed }
        set { super.isIndexed = newValue }
    }
    override var isIndexedBySpotlight: Bool {
        get { super.isIndexedBySpotlight }
        set { super.isIndexedBySpotlight = newValue }
    }
    override var isOptional: Bool {
        get { super.isOptional }
        set { super.isOptional = newValue }
    }
    override var isStoredInExternalRecord: Bool {
        get { super.isStoredInExternalRecord }
        set { super.isStoredInExternalRecord = newValue }
    }
    override var isTransient: Bool {
        get { super.isTransient }
        set { super.isTransient = newValue }
    }
    override var name: String {
        get { super.name }
        set { super.name = newValue }
    }
    override var renamingIdentifier: String? {
        get { super.renamingIdentifier }
        set { super.renamingIdentifier = newValue }
    }
    override func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        super.setValidationPredicates(validationPredicates, withValidationWarnings: validationWarnings)
    }
    override class var supportsSecureCoding: Bool { super.supportsSecureCoding }
    override var userInfo: [AnyHashable: Any]? {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
    override var validationPredicates: [NSPredicate] { super.validationPredicates }
    override var validationWarnings: [Any] { super.validationWarnings }
    override var versionHash: Data { super.versionHash }
    override var versionHashModifier: String? {
        get { super.versionHashModifier }
        set { super.versionHashModifier = newValue }
    }
}

private final class NSRelationshipDescriptionDouble: NSRelationshipDescription {
    override var deleteRule: NSDeleteRule {
        get { super.deleteRule }
        set { super.deleteRule = newValue }
    }
    override var destinationEntity: NSEntityDescription? {
        get { super.destinationEntity }
        set { super.destinationEntity = newValue }
    }
    override var inverseRelationship: NSRelationshipDescription? {
        get { super.inverseRelationship }
        set { super.inverseRelationship = newValue }
    }
    override var isOrdered: Bool {
        get { super.isOrdered }
        set { super.isOrdered = newValue }
    }
    override var isToMany: Bool { super.isToMany }
    override var maxCount: Int {
        get { super.maxCount }
        set { super.maxCount = newValue }
    }
    override var minCount: Int {
        get { super.minCount }
        set { super.minCount = newValue }
    }
}
