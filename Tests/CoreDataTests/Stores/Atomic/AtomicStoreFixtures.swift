import CoreData
import Foundation

/// Apple's own XML and binary stores.
enum AtomicStoreFixtures {
    static let root = TestFiles.fixtures

    static let isPresent = FileManager.default.fileExists(atPath: root.path)

    /// The paths below `files/<kind>` with one of these extensions.
    static func paths(_ kind: String, _ extensions: Set<String>) -> [String] {
        let folder = root.appendingPathComponent("files/\(kind)")
        guard let found = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return found.compactMap { $0 as? String }
            .filter { extensions.contains(($0 as NSString).pathExtension) }
            .map { "files/\(kind)/\($0)" }.sorted()
    }

    static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    /// The model of mapping models.
    static func mappingModel() throws -> NSManagedObjectModel {
        let path = paths("momd", ["mom"]).first { $0.hasSuffix("XDDevMappingModel.mom") }
        guard let path, let model = NSManagedObjectModel(contentsOf: url(path)) else {
            throw CocoaError(.fileReadNoSuchFile)
        }
        // Xcode's own classes set what is required here and kept nowhere.
        for property in model.entities.flatMap(\.properties) { property.isOptional = true }
        return model
    }
}

/// Numbers are unique below a root entity only.
struct FixtureObjectKey: Hashable {
    let number: Int
    /// In capitals, as XML stores have it.
    let entity: String
}

/// Opens a copy of a fixture, whatever model it was made for.
struct FixtureStack {
    let stack: AtomicStack
    let url: URL
    private let folder: TemporaryFolder

    init(_ path: String, type: String, model: NSManagedObjectModel, ignoringVersion: Bool = true) throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
        try FileManager.default.copyItem(at: AtomicStoreFixtures.url(path), to: url)
        stack = try AtomicStack(
            url, type: type, model: model, options: [NSIgnorePersistentStoreVersioningOption: ignoringVersion])
    }

    /// The objects by entity and by the numbers that the file knows them by.
    func objects() throws -> [FixtureObjectKey: NSManagedObject] {
        var result: [FixtureObjectKey: NSManagedObject] = [:]
        for entity in stack.coordinator.managedObjectModel.entities where entity.superentity == nil {
            for object in try stack.context.all(entity.name ?? "") {
                let reference = object.objectID.uriRepresentation().lastPathComponent.dropFirst()
                let entity = object.entity.name?.uppercased() ?? ""
                result[FixtureObjectKey(number: Int(reference) ?? -1, entity: entity)] = object
            }
        }
        return result
    }

    /// Has the store write its file: an attribute is changed, saved, and changed back.
    func rewrite() throws {
        for (_, object) in try objects().sorted(by: { $0.key.number < $1.key.number }) {
            for (name, attribute) in object.entity.attributesByName
            where attribute.attributeType == .stringAttributeType {
                guard let before = object.value(forKey: name) as? String else { continue }
                object.setValue("\(before)!", forKey: name)
                try stack.context.save()
                object.setValue(before, forKey: name)
                return try stack.context.save()
            }
        }
    }
}
