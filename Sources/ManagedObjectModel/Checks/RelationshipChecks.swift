/// Checks a relationship: its destination, inverse, counts, order and delete rule.
struct RelationshipChecks {
    let relationship: NSRelationshipDescription

    func report(to add: (ModelIssue.Severity, String) -> Void) {
        reportDestination(to: add)
        let (minimum, maximum) = (relationship.minCount, relationship.maxCount)
        if minimum < 0 { add(.error, "the minimum count \(minimum) is negative") }
        if maximum > 0, minimum > maximum {
            add(.error, "the minimum count \(minimum) is larger than the maximum count \(maximum)")
        }
        if relationship.isToMany, !relationship.isOptional, minimum == 0 {
            add(.warning, "it has to lead to objects, but its minimum count is 0: make it optional, or set the count")
        }
        if relationship.isOrdered, !relationship.isToMany {
            // Apple's compiler takes it (seen in the model that the app of The Blue Alliance shipped with for years).
            add(.warning, "a to-one relationship has no order")
        }
        if relationship.deleteRule == .noActionDeleteRule {
            add(.warning, "the delete rule No Action may leave relationships to objects that are gone")
        }
    }

    private func reportDestination(to add: (ModelIssue.Severity, String) -> Void) {
        guard let name = relationship.destinationEntityName, !name.isEmpty else {
            add(.error, "it has no destination")
            return
        }
        guard let destination = relationship.destinationEntity, let owner = relationship.declaringEntity,
            destination.owningModel === owner.owningModel
        else {
            add(.error, "its destination \"\(name)\" is not in the model")
            return
        }
        guard let inverseName = relationship.inverseRelationshipName else {
            add(.warning, "it has no inverse")
            return
        }
        guard let inverse = destination.inheritedOrOwnProperty(named: inverseName) as? NSRelationshipDescription else {
            add(.error, "its inverse \"\(inverseName)\" is no relationship of \(name)")
            return
        }
        if inverse.inverseRelationshipName != relationship.name {
            add(.error, "the inverse of its inverse \(name).\(inverseName) is another relationship")
        } else if let back = inverse.destinationEntity, !owner.isKindOf(entity: back), !back.isKindOf(entity: owner) {
            add(
                .error,
                "its inverse \(name).\(inverseName) leads to \(back.name ?? ""), not back to \(owner.name ?? "")")
        }
        if relationship === inverse, relationship.isOrdered, relationship.isToMany {
            // Apple's compiler takes it (seen in the tests of 3lvis/Sync).
            add(.warning, "it is its own inverse and ordered: each object has an order of its own")
        }
    }
}
