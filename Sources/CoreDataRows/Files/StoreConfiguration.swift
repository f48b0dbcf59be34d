import ManagedObjectModel

extension NSManagedObjectModel {
    /// The configuration that a store of the model was made for, when it is opened for one of that name now.
    ///
    /// A store that has all entities was made for none, whatever configurations the model has.
    package func configuration(_ name: String?, ofStoreWith metadata: [String: Any]) -> String? {
        guard let name, configurations.contains(name),
            !isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        else { return nil }
        return name
    }

    /// The configuration whose entities are those that a store was made with; nil where these are all of the model's, or no
    /// configuration's.
    package func configuration(ofStoreWith metadata: [String: Any]) -> String? {
        if isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) { return nil }
        return configurations.sorted().first { isConfiguration(withName: $0, compatibleWithStoreMetadata: metadata) }
    }
}
