import ManagedObjectModel

/// In what an entity of a store's own model differs from that of another model.
package enum EntityDifferences {
    /// Empty where the store has no model of its own, or nothing differs.
    package static func text(
        of name: String, store: NSManagedObjectModel?, model: NSManagedObjectModel
    ) -> String {
        guard let theirs = store?.entitiesByName[name], let ours = model.entitiesByName[name] else { return "" }
        var parts: [String] = []
        let names = Set(theirs.propertiesByName.keys).union(ours.propertiesByName.keys)
        for property in names.sorted() {
            switch (theirs.propertiesByName[property], ours.propertiesByName[property]) {
            case (let old?, let new?) where old.versionHash != new.versionHash: parts.append("'\(property)' differs")
            case (.some, nil): parts.append("'\(property)' is in the store only")
            case (nil, .some): parts.append("'\(property)' is in the model only")
            default: break
            }
        }
        if theirs.isAbstract != ours.isAbstract { parts.append("abstractness differs") }
        if theirs.superentity?.name != ours.superentity?.name { parts.append("the superentity differs") }
        return parts.joined(separator: ", ")
    }
}
