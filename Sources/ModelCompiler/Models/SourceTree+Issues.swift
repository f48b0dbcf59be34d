import ManagedObjectModel

extension ModelFile.SourceTree {
    /// The element that an issue is about: a property, else its entity, or a fetch request. Of several of a name, the last:
    /// that is the one too many.
    func element(of issue: ModelIssue) -> XMLTree? {
        if let name = issue.fetchRequest { return last("fetchRequest", named: name, in: root) }
        guard let entity = issue.entity.flatMap({ last("entity", named: $0, in: root) }) else { return nil }
        guard let property = issue.property else { return entity }
        let kinds = ["attribute", "relationship", "fetchedProperty"]
        return kinds.lazy.compactMap { last($0, named: property, in: entity) }.first ?? entity
    }

    private func last(_ kind: String, named name: String, in parent: XMLTree) -> XMLTree? {
        parent.children.last { $0.name == kind && $0["name"] == name }
    }
}
