import Foundation

extension NSManagedObjectModel {
    class func merged(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let models = modelURLs(in: bundles).compactMap(NSManagedObjectModel.init(contentsOf:))
        return models.isEmpty ? nil : NSManagedObjectModel(byMerging: models)
    }

    class func merged(from bundles: [Bundle]?, forStoreOf metadata: [String: Any]) -> NSManagedObjectModel? {
        let models = modelURLs(in: bundles).compactMap { try? ModelFile.readVersions($0) }
        let all = models.flatMap { $0.models.sorted { $0.key < $1.key }.map(\.value) }
        return NSManagedObjectModel(byMerging: all, forStoreMetadata: metadata)
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
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let wanted = Self.versionHashes(in: metadata) else { return nil }
        let found = models.flatMap(\.entityVersionHashesByName).filter { wanted[$0.key] == $0.value }
        guard Set(found.map(\.key)).count == wanted.count else { return nil }
        self.init()
        merge(models) { entity in entity.name.flatMap { wanted[$0] } == entity.versionHash }
    }

    func fits(_ configuration: String?, _ metadata: [String: Any]) -> Bool {
        guard let stored = Self.versionHashes(in: metadata),
            let entities = entities(forConfigurationName: configuration)
        else { return false }
        let all = entityVersionHashesByName
        let names = entities.compactMap(\.name)
        return Dictionary(names.compactMap { name in all[name].map { (name, $0) } }) { first, _ in first } == stored
    }

    /// The version hashes that a store's metadata holds, by entity name.
    package static func versionHashes(in metadata: [String: Any]) -> [String: Data]? {
        metadata["NSStoreModelVersionHashes"] as? [String: Data]
    }

    private static func modelURLs(in bundles: [Bundle]?) -> [URL] {
        ModelBundles.meant(by: bundles).flatMap { bundle in
            ["momd", "mom"].flatMap { name in
                (bundle.urls(forResourcesWithExtension: name, subdirectory: nil) ?? []).map { $0 as URL }
            }
        }
    }

    private func merge(_ models: [NSManagedObjectModel], including isIncluded: (NSEntityDescription) -> Bool) {
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
        for configuration in model.configurations {
            var members =
                configurations.contains(configuration) ? entities(forConfigurationName: configuration) ?? [] : []
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
