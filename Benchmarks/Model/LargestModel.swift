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
        let versions = ModelVersions(
            models: ["Largest": found() ?? RingModel.make(entities: 150, attributes: 30)], currentVersionName: "Largest"
        )
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
}
