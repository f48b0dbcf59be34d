import CoreData
import Foundation

/// The largest model that there is to read: one that Apple's tools wrote, from the folder named by
/// `COREDATA_FIXTURES`, or else one of 150 entities that is made here.
enum LargestModel {
    /// The forms in which a model is kept in files, by the extension of their names.
    enum Form: String {
        case compiled = "momd"
        case source = "xcdatamodeld"
    }

    static func write(_ form: Form, to url: URL) throws {
        let versions = ModelVersions(models: ["Largest": found() ?? generated()], currentVersionName: "Largest")
        switch form {
        case .compiled: try versions.writeCompiled(to: url)
        case .source: try versions.writeSource(to: url)
        }
    }

    /// The number of properties, each counted where it is declared.
    static func size(of model: NSManagedObjectModel) -> Int {
        model.entities.reduce(0) { sum, entity in sum + entity.properties.count { $0.entity === entity } }
    }

    private static func found() -> NSManagedObjectModel? {
        let path = ProcessInfo.processInfo.environment["COREDATA_FIXTURES"] ?? "../shared/fixtures"
        guard
            let files = FileManager.default.enumerator(at: URL(fileURLWithPath: path), includingPropertiesForKeys: nil)
        else { return nil }
        // What can't be read, as files of other kinds, is no candidate.
        let models = files.compactMap { $0 as? URL }.compactMap(model)
        return models.map { ($0, size(of: $0)) }.max { $0.1 < $1.1 }?.0
    }

    private static func model(at url: URL) -> NSManagedObjectModel? {
        switch (url.pathExtension, url.lastPathComponent) {
        case ("mom", _), (_, "contents"): try? ModelFile.read(url)
        case ("sqlite", _): try? NSPersistentStoreCoordinator.cachedModel(forStoreAt: url)
        default: nil
        }
    }

    private static func generated() -> NSManagedObjectModel {
        let entities = (0..<150).map { number in
            let entity = NSEntityDescription()
            entity.name = "Entity\(number)"
            entity.properties = (0..<30).map { column in
                let attribute = NSAttributeDescription()
                attribute.name = "value\(column)"
                attribute.attributeType = column.isMultiple(of: 2) ? .stringAttributeType : .integer64AttributeType
                return attribute
            }
            return entity
        }
        for (entity, next) in zip(entities, entities.dropFirst() + entities.prefix(1)) {
            let (forward, back) = (NSRelationshipDescription(), NSRelationshipDescription())
            (forward.name, back.name) = ("next", "previous")
            (forward.destinationEntity, back.destinationEntity) = (next, entity)
            (forward.inverseRelationship, back.inverseRelationship) = (back, forward)
            (forward.maxCount, back.maxCount) = (1, 1)
            entity.properties += [forward]
            next.properties += [back]
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }
}
