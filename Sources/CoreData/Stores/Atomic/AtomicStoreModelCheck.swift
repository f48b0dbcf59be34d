import ManagedObjectModel

/// What models of XML and binary stores can't have: derived attributes and uniqueness constraints need a database
/// (Apple: "NSDerivedAttributeDescription", "NSEntityDescription.uniquenessConstraints").
enum AtomicStoreModelCheck {
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` (134020), which names entity and property.
    static func check(_ model: NSManagedObjectModel, configuration: String?, storeType: String) throws {
        for entity in model.storedEntities(forConfigurationName: configuration) ?? [] {
            let name = entity.name ?? ""
            if let derived = entity.properties.first(where: { $0 is NSDerivedAttributeDescription }) {
                throw refusal("derived attributes", "\(name).\(derived.name) is one", storeType)
            }
            guard entity.uniquenessConstraints.isEmpty else {
                throw refusal("uniqueness constraints", "the entity \(name) has one", storeType)
            }
        }
    }

    private static func refusal(_ what: String, _ which: String, _ storeType: String) -> any Error {
        CoreDataError.make(
            NSPersistentStoreIncompatibleSchemaError,
            "Stores of the type \(storeType) don't support \(what), and \(which). Use a SQLite store, or a model without."
        )
    }
}
