/// In what two versions of a relationship differ, besides what all properties have.
struct RelationshipDifference {
    let old: NSRelationshipDescription
    let new: NSRelationshipDescription

    var messages: [(text: String, obstacle: String?)] {
        var messages: [(text: String, obstacle: String?)] = []
        // A destination that was renamed is the same one.
        let knownNames = [new.destinationEntity?.renamingIdentifier, new.destinationEntityName]
        if !knownNames.contains(old.destinationEntityName),
            old.destinationEntity?.renamingIdentifier != new.destinationEntity?.renamingIdentifier
        {
            messages.append(
                (
                    "its destination was \(old.destinationEntityName ?? "nothing") and is "
                        + (new.destinationEntityName ?? "nothing"),
                    "the objects that it leads to are of another entity"
                ))
        }
        if old.isToMany, !new.isToMany {
            messages.append(("it was to-many and is to-one", "one of several objects would have to be chosen"))
        } else if !old.isToMany, new.isToMany {
            messages.append(("it was to-one and is to-many", nil))
        }
        if old.isOrdered != new.isOrdered {
            messages.append((new.isOrdered ? "it became ordered" : "it is no longer ordered", nil))
        }
        let (inverse, oldInverse) = (new.inverseRelationship, old.inverseRelationshipName)
        if oldInverse != new.inverseRelationshipName, oldInverse != inverse?.renamingIdentifier {
            messages.append(
                ("its inverse was \(oldInverse ?? "nothing") and is \(new.inverseRelationshipName ?? "nothing")", nil))
        }
        if old.deleteRule != new.deleteRule {
            let names = (ModelDescription.name(of: old.deleteRule), ModelDescription.name(of: new.deleteRule))
            messages.append(("its delete rule was \(names.0) and is \(names.1)", nil))
        }
        let sameCounts = old.minCount == new.minCount && (old.maxCount == new.maxCount || old.isToMany != new.isToMany)
        if !sameCounts {
            messages.append(
                ("its counts were \(old.minCount)…\(old.maxCount) and are \(new.minCount)…\(new.maxCount)", nil))
        }
        return messages
    }
}
