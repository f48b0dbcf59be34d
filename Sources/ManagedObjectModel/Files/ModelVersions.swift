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
