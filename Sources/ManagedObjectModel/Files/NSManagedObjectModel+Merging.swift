import Foundation

extension NSManagedObjectModel {
    class func merged(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let urls = ModelResource.urls(["momd", "mom"], in: ModelBundles.meant(by: bundles))
        let models = urls.compactMap { url -> NSManagedObjectModel? in
            do {
                return try ModelFile.read(url)
            } catch {
                ModelWarning.write("A model was left out of the merged one. \(error)")
                return nil
            }
        }
        return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
    }

    class func merged(from bundles: [Bundle]?, forStoreOf metadata: [String: Any]) -> NSManagedObjectModel? {
        guard let wanted = versionHashes(in: metadata) else { return nil }
        let catalog = ModelCatalog(bundles: ModelBundles.meant(by: bundles))
        defer { for failure in catalog.failures { ModelWarning.write("A model can't be read. \(failure)") } }
        return catalog.model(withHashes: wanted) ?? merging(catalog, forHashes: wanted, metadata)
    }

    /// The model of a store from the entities of other versions than that which the store was made for.
    package static func merging(
        _ catalog: ModelCatalog, forHashes wanted: [String: Data], _ metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        let models = catalog.models(havingAll: wanted).first { _ in true }.map { [$0] }
        return NSManagedObjectModel(
            byMerging: models ?? catalog.models(havingAnyOf: wanted), forStoreMetadata: metadata)
    }

    /// Makes a model of copies of all entities, templates and configurations; nil for nil.
    ///
    /// An entity may be in several models where it is the same. Two different ones of a name stop the program, as
    /// Apple raises an exception.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else { return nil }
        self.init()
        merge(models) { _ in true }
    }

    /// Makes the model of a store from the entities whose version hashes the metadata has; nil where one is missing.
    ///
    /// Entities with the same hash may differ in what doesn't matter to stored data: a value transformer, a class. So they
    /// are all taken from the model that has exactly the store's entities, or else from one that has them all, and from
    /// several models only where there is neither.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let wanted = Self.versionHashes(in: metadata) else { return nil }
        let known = models.map { model in (model: model, hashes: model.entityVersionHashesByName) }
        let single =
            known.first { $0.hashes == wanted }
            ?? known.first { hashes in wanted.allSatisfy { hashes.hashes[$0.key] == $0.value } }
        let found = known.flatMap(\.hashes).filter { wanted[$0.key] == $0.value }
        guard Set(found.map(\.key)).count == wanted.count else { return nil }
        self.init()
        merge(single.map { [$0.model] } ?? models) { entity in
            entity.name.flatMap { wanted[$0] } == entity.versionHash
        }
    }

    func fits(_ configuration: String?, _ metadata: [String: Any]) -> Bool {
        guard let stored = Self.versionHashes(in: metadata),
            let entities = storedEntities(forConfigurationName: configuration)
        else { return false }
        let all = entityVersionHashesByName
        let names = entities.compactMap(\.name)
        return Dictionary(names.compactMap { name in all[name].map { (name, $0) } }) { first, _ in first } == stored
    }

    /// The version hashes that a store's metadata holds, by entity name.
    package static func versionHashes(in metadata: [String: Any]) -> [String: Data]? {
        metadata["NSStoreModelVersionHashes"] as? [String: Data]
    }

    func merge(_ models: [NSManagedObjectModel], including isIncluded: (NSEntityDescription) -> Bool) {
        isFromFile = models.contains(where: \.isFromFile)
        var chosen: [String: NSEntityDescription] = [:]
        var originals: [NSEntityDescription] = []
        for entity in models.flatMap(\.entities) where isIncluded(entity) {
            guard let name = entity.name else { continue }
            if let known = chosen[name] {
                guard known.versionHash == entity.versionHash else {
                    fatalError("Can't merge models with two different entities named '\(name)'")
                }
            } else {
                chosen[name] = entity
                originals.append(entity)
            }
        }
        adopt(copiesOf: originals)
        for model in models {
            versionIdentifiers.formUnion(model.versionIdentifiers)
            for (name, template) in model.fetchRequestTemplatesByName {
                setFetchRequestTemplate(template.erasedCopy(), forName: name)
            }
            if let texts = model.localizationDictionary {
                localizationDictionary = (localizationDictionary ?? [:]).merging(texts) { first, _ in first }
            }
            mergeConfigurations(of: model)
        }
        connectRelationships()
    }

    private func mergeConfigurations(of model: NSManagedObjectModel) {
        let copies = entitiesByName
        for configuration in model.namedConfigurations {
            var members =
                namedConfigurations.contains(configuration) ? entities(forConfigurationName: configuration) ?? [] : []
            for entity in model.entities(forConfigurationName: configuration) ?? [] {
                guard let copy = entity.name.flatMap({ copies[$0] }), !members.contains(where: { $0 === copy }) else {
                    continue
                }
                members.append(copy)
            }
            setEntities(members, forConfigurationName: configuration)
        }
    }
}
