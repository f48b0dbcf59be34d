// The names under which a mapping's value expressions have what they may use: `$manager` and the rest (Apple:
// NSEntityMigrationPolicy).

/// The variable of the migration manager.
public let NSMigrationManagerKey = "manager"
/// The variable of the object that is migrated.
public let NSMigrationSourceObjectKey = "source"
/// The variable of the object that is made.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable of the entity mapping.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The variable of the property mapping.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The variable of the migration policy.
public let NSMigrationEntityPolicyKey = "entityPolicy"
