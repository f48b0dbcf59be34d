import Foundation

/// In what two versions of an entity differ, besides names, ancestors and properties. None of it is an obstacle.
struct EntityDifference {
    let old: NSEntityDescription
    let new: NSEntityDescription

    var messages: [String] {
        var messages: [String] = []
        if old.isAbstract != new.isAbstract {
            messages.append(new.isAbstract ? "the entity became abstract" : "the entity is no longer abstract")
        }
        if old.managedObjectClassName != new.managedObjectClassName {
            let names = [old, new].map { $0.managedObjectClassName ?? "nothing" }
            messages.append("the class of its objects was \(names[0]) and is \(names[1])")
        }
        if old.uniquenessConstraintNames != new.uniquenessConstraintNames {
            messages.append("the uniqueness constraints changed")
        }
        messages += indexMessages
        if (old.versionHashModifier ?? "") != (new.versionHashModifier ?? "") {
            messages.append("the version hash modifier changed")
        }
        if !ValueEquality.areEqual(old.userInfo ?? [:], new.userInfo ?? [:]) {
            messages.append("the user info changed")
        }
        return messages + configurationMessages
    }

    private var indexMessages: [String] {
        let (old, new) = (Self.indexes(of: old), Self.indexes(of: new))
        return Set(old.keys).union(new.keys).sorted().compactMap { name in
            switch (old[name], new[name]) {
            case (nil, _?): "the index \(name) is new"
            case (_?, nil): "the index \(name) is gone"
            case (let before?, let after?): before.isEqual(after) ? nil : "the index \(name) changed"
            case (nil, nil): nil
            }
        }
    }

    private var configurationMessages: [String] {
        let (old, new) = (Self.configurations(of: old), Self.configurations(of: new))
        return new.subtracting(old).sorted().map { "it joined the configuration \($0)" }
            + old.subtracting(new).sorted().map { "it left the configuration \($0)" }
    }

    private static func indexes(of entity: NSEntityDescription) -> [String: NSFetchIndexDescription] {
        Dictionary(entity.indexes.map { ($0.name, $0) }) { first, _ in first }
    }

    private static func configurations(of entity: NSEntityDescription) -> Set<String> {
        guard let model = entity.owningModel else { return [] }
        return Set(
            model.namedConfigurations.filter { name in
                model.entities(forConfigurationName: name)?.contains { $0 === entity } ?? false
            })
    }
}
