import Foundation

/// The versions of a model, as `.xcdatamodeld` and `.momd` bundles hold them.
public struct ModelVersions {
    /// The models by the names of their versions.
    public let models: [String: NSManagedObjectModel]
    /// The version in use.
    public let currentVersionName: String

    /// Puts versions together. The current one has to be among them.
    public init(models: [String: NSManagedObjectModel], currentVersionName: String) {
        precondition(models[currentVersionName] != nil, "The current version is not among the versions.")
        self.models = models
        self.currentVersionName = currentVersionName
    }

    /// The model in use.
    public var current: NSManagedObjectModel {
        // The initialiser sees to it that there is one.
        models[currentVersionName]!
    }

    /// Writes a `.momd` that Apple's framework reads: a `.mom` for each version, and `VersionInfo.plist`.
    ///
    /// An existing directory is replaced as a whole, and only once everything has been written beside it.
    public func writeCompiled(to url: URL) throws {
        var files = ["VersionInfo.plist": VersionInfo(currentVersionName: currentVersionName, models: models).data()]
        for (name, model) in models {
            do {
                files["\(name).mom"] = try model.archivedData()
            } catch let error as ModelFileError {
                throw error.located(in: url.appendingPathComponent("\(name).mom"))
            }
        }
        try BundleWriter.write(files, to: url)
    }

    /// Writes a `.xcdatamodeld` that Xcode opens.
    ///
    /// Returns what the XML has no place for, each with its version, entity and property. It is not in the files.
    @discardableResult
    public func writeSource(to url: URL) throws -> [String] {
        let current = PropertyListNode.dictionary([
            "_XCCurrentVersionName": .string("\(currentVersionName).xcdatamodel")
        ])
        var files = [".xccurrentversion": BinaryPropertyListWriter.write(current)]
        var omissions: [String] = []
        for (name, model) in models.sorted(by: { $0.key < $1.key }) {
            let document = XMLModelWriter.document(of: model)
            files["\(name).xcdatamodel/contents"] = Data(document.xml.utf8)
            omissions += document.omissions.map { "version \(name): \($0)" }
        }
        try BundleWriter.write(files, to: url)
        return omissions
    }
}

/// Writes directories of files, all or nothing.
enum BundleWriter {
    /// Writes files by their paths within the directory, replacing an existing directory as a whole.
    static func write(_ files: [String: Data], to url: URL) throws {
        let manager = FileManager.default
        let parent = url.deletingLastPathComponent()
        let temporary = parent.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        do {
            try manager.createDirectory(at: temporary, withIntermediateDirectories: true)
            for (path, data) in files {
                let file = temporary.appendingPathComponent(path)
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            if manager.fileExists(atPath: url.path) {
                let old = parent.appendingPathComponent(".\(url.lastPathComponent).old.\(UUID().uuidString)")
                try manager.moveItem(at: url, to: old)
                try manager.moveItem(at: temporary, to: url)
                try manager.removeItem(at: old)
            } else {
                try manager.moveItem(at: temporary, to: url)
            }
        } catch {
            // The failure that is thrown is the one that matters.
            try? manager.removeItem(at: temporary)
            throw ModelFileError(.unreadable, "it cannot be written: \(error.localizedDescription)", in: url)
        }
    }
}
