import Foundation
import FoundationCompat

/// Reads and writes model files of every kind. An addition to Apple's API, which says nothing when reading fails.
public enum ModelFile {
    /// Reads a model from a `.xcdatamodeld`, a `.xcdatamodel`, the `contents` or `elements` in one, a `.mom` or a
    /// `.momd`. The kind is recognised by the contents.
    ///
    /// - Parameter version: the version of a bundle of several, instead of the current one.
    /// - Throws: a `ModelFileError` that says what is wrong and where.
    public static func read(_ url: URL, version: String? = nil) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        try read(url, version: version, into: model)
        return model
    }

    /// Reads all versions at a URL: those of a bundle, or the one model of a file.
    public static func readVersions(_ url: URL) throws -> ModelVersions {
        let versions = try ModelLocation(url).versions
        return ModelVersions(
            models: try versions.files.mapValues { try read($0) }, currentVersionName: versions.current)
    }

    /// Reads the bytes of a model: XML, a `.mom` archive, or the `elements` of Xcode 3.
    public static func read(data: Data) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        try read(data, into: model)
        return model
    }

    static func read(_ url: URL, version: String?, into model: NSManagedObjectModel) throws {
        switch try ModelLocation(url) {
        case .file(let file):
            guard version == nil else {
                throw ModelFileError(.unsupported, "only bundles have versions to choose from", in: url)
            }
            do {
                try read(ModelLocation.data(of: file), into: model)
                if let bundle = TargetBundle(holding: file) {
                    for entity in model.entities { entity.targetBundle = bundle }
                }
            } catch let error as ModelFileError {
                throw error.located(in: file)
            }
        case .sourceBundle(let versions, let current), .compiledBundle(let versions, let current):
            guard let file = versions[version ?? current] else {
                let names = versions.keys.sorted().joined(separator: ", ")
                throw ModelFileError(
                    .unreadable, "there is no version \"\(version ?? current)\"; the versions are: \(names)", in: url)
            }
            try read(file, version: nil, into: model)
        }
    }

    static func read(_ data: Data, into model: NSManagedObjectModel) throws {
        if data.starts(with: Data("bplist".utf8)) {
            let root = try KeyedArchive(data).rootObject()
            if Xcode3ModelReader.recognizes(root) {
                try XMLModelReader.read(Xcode3ModelReader.tree(of: root), into: model)
            } else {
                try CompiledModelReader.read(root, into: model)
            }
        } else {
            try XMLModelReader.read(data, into: model)
        }
    }
}
