import Foundation

/// Checks an entity with its properties, constraints and indexes.
struct EntityChecks {
    let entity: NSEntityDescription
    let name: String

    func issues() -> [ModelIssue] {
        var issues: [ModelIssue] = []
        let inherited = entity.superentity?.propertiesByName ?? [:]
        var names: Set<String> = []
        for property in entity.ownProperties.sortedByName() {
            func add(_ severity: ModelIssue.Severity, _ message: String) {
                issues.append(
                    ModelIssue(severity: severity, entity: name, property: property.name, message: message))
            }
            if !names.insert(property.name).inserted { add(.error, "there are two properties of that name") }
            if let other = inherited[property.name], other !== property {
                add(.error, "it is inherited from \(other.declaringEntity?.name ?? "an ancestor") already")
            }
            if ModelNames.reserved.contains(property.name) {
                add(.error, "the name is reserved: NSManagedObject has a member of that name")
            }
            if !ModelNames.isIdentifier(property.name) { add(.error, "the name is no identifier") }
            switch property {
            case let attribute as NSAttributeDescription: AttributeChecks(attribute: attribute).report(to: add)
            case let relationship as NSRelationshipDescription:
                RelationshipChecks(relationship: relationship).report(to: add)
            case let fetched as NSFetchedPropertyDescription:
                if fetched.fetchRequest?.entity == nil {
                    add(.error, "its fetch request is for no entity of the model")
                }
            default: add(.error, "only attributes, relationships and fetched properties can be in an entity")
            }
        }
        return issues + constraintIssues() + indexIssues()
    }

    private func constraintIssues() -> [ModelIssue] {
        let properties = entity.propertiesByName
        return entity.uniquenessConstraintNames.flatMap { names -> [ModelIssue] in
            if names.isEmpty { return [issue("a uniqueness constraint is empty")] }
            return names.compactMap { constrained in
                let path = constrained.split(separator: ".")
                guard let property = path.first.flatMap({ properties[String($0)] }) else {
                    return issue("a uniqueness constraint names the unknown property \"\(constrained)\"")
                }
                if (property as? NSRelationshipDescription)?.isToMany == true {
                    return issue("a uniqueness constraint names \"\(constrained)\", which leads to many objects")
                }
                return property.isTransient
                    ? issue("a uniqueness constraint names \"\(constrained)\", which is not stored") : nil
            }
        }
    }

    private func indexIssues() -> [ModelIssue] {
        let properties = entity.propertiesByName
        return entity.indexes.flatMap { index -> [ModelIssue] in
            if index.elements.isEmpty { return [issue("the index \"\(index.name)\" is empty")] }
            return index.elements.compactMap { element in
                if element.expressionDescription != nil { return nil }
                let path = (element.propertyName ?? "").split(separator: ".")
                guard path.first.flatMap({ properties[String($0)] }) == nil else { return nil }
                return issue("the index \"\(index.name)\" names the unknown property \"\(element.propertyName ?? "")\"")
            }
        }
    }

    private func issue(_ message: String) -> ModelIssue {
        ModelIssue(severity: .error, entity: name, message: message)
    }
}
