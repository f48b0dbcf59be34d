import Foundation

/// The checks that Xcode makes of a model when it compiles it.
public enum ModelChecks {
    /// What is the matter with versions of a model, by their names: of the current one errors and warnings, of the others
    /// errors only. A version that stores were made for isn't changed any more, so warnings about it would stay for ever.
    public static func issues(in versions: ModelVersions) -> [String: [ModelIssue]] {
        let all = versions.models.map { name, model in
            (name, issues(in: model).filter { name == versions.currentVersionName || $0.severity == .error })
        }
        return Dictionary(uniqueKeysWithValues: all).filter { !$0.value.isEmpty }
    }

    /// What is the matter with the model, by entity and property, errors and warnings.
    public static func issues(in model: NSManagedObjectModel) -> [ModelIssue] {
        var issues = model.readingIssues
        func add(_ severity: ModelIssue.Severity, _ message: String, _ entity: String? = nil) {
            issues.append(ModelIssue(severity: severity, entity: entity, message: message))
        }
        var names: Set<String> = []
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            guard let name = entity.name, !name.isEmpty else {
                add(.error, "there is an entity without a name")
                continue
            }
            if !names.insert(name).inserted { add(.error, "there are two entities of that name", name) }
            if !ModelNames.isIdentifier(name) { add(.error, "the name is no identifier", name) }
            if entity.isAbstract, entity.subentities.isEmpty {
                add(.warning, "it is abstract, but no entity inherits from it", name)
            }
            for child in entity.subentities where child.owningModel !== model {
                add(.error, "its subentity \(child.name ?? "") is not in the model", name)
            }
            if let parent = entity.superentity, parent.owningModel !== model {
                add(.error, "its parent \(parent.name ?? "") is not in the model", name)
            }
            issues += EntityChecks(entity: entity, name: name).issues()
        }
        for (name, request) in model.fetchRequestTemplatesByName.sorted(by: { $0.key < $1.key }) {
            if request.entityName.flatMap({ model.entitiesByName[$0] }) == nil {
                issues.append(
                    ModelIssue(
                        severity: .error, fetchRequest: name,
                        message:
                            "the fetch request \"\(name)\" is for the unknown entity \"\(request.entityName ?? "")\""))
            }
        }
        return issues
    }
}
