import Foundation

/// The resources of bundles that are models or mapping models.
package enum ModelResource {
    /// What compiled models, their optimised form, and compiled mapping models are called.
    static let pathExtensions: Set<String> = ["momd", "mom", "omo", "cdm", "xcmappingmodel"]

    /// All resources of such kinds in bundles, each once, bundle by bundle.
    package static func urls(_ kinds: [String], in bundles: [Bundle]) -> [URL] {
        bundles.flatMap { bundle in
            kinds.flatMap { kind in
                let found: [NSURL]? = bundle.urls(forResourcesWithExtension: Optional(kind), subdirectory: nil)
                return (found ?? []).map { $0 as URL }.sorted { $0.path < $1.path }
            }
        }
    }
}

/// Where apps look for their models: in the main bundle, and in `Bundle(for:)`, which on Linux is the main bundle too.
///
/// The package manager lays the resources of a target into a bundle of their own, so there they'd find nothing. These
/// overloads are taken for arguments that aren't optional. They look into the bundle itself, and for the kinds of files that
/// belong to models and where the bundle is the main one, into the bundles of the program's targets too. What other
/// resources are asked for, they leave to Foundation.
extension Bundle {
    /// The place of a resource; of a model, also among the resources of the program's targets.
    public func url(forResource name: String, withExtension ext: String) -> URL? {
        first(ext) { $0.url(forResource: Optional(name), withExtension: Optional(ext)) }
    }

    /// The place of a resource in a folder; of a version of a model, also among the resources of the program's targets.
    public func url(forResource name: String, withExtension ext: String, subdirectory subpath: String?) -> URL? {
        first(ext) { bundle in
            bundle.url(forResource: Optional(name), withExtension: Optional(ext), subdirectory: subpath)
        }
    }

    /// The path of a resource; of a model, also among the resources of the program's targets.
    public func path(forResource name: String, ofType ext: String) -> String? {
        first(ext) { $0.path(forResource: Optional(name), ofType: Optional(ext)) }
    }

    /// The path of a resource in a folder; of a version of a model, also among the resources of the program's targets.
    public func path(forResource name: String, ofType ext: String, inDirectory subpath: String?) -> String? {
        first(ext) { $0.path(forResource: Optional(name), ofType: Optional(ext), inDirectory: subpath) }
    }

    /// The places of the resources of a kind; of models, also those among the resources of the program's targets.
    public func urls(forResourcesWithExtension ext: String, subdirectory subpath: String?) -> [URL]? {
        let found = searched(for: ext).compactMap { bundle -> [NSURL]? in
            bundle.urls(forResourcesWithExtension: Optional(ext), subdirectory: subpath)
        }
        return found.isEmpty ? nil : found.joined().map { $0 as URL }
    }

    /// The paths of the resources of a kind; of models, also those among the resources of the program's targets.
    public func paths(forResourcesOfType ext: String, inDirectory subpath: String?) -> [String] {
        searched(for: ext).flatMap { $0.paths(forResourcesOfType: Optional(ext), inDirectory: subpath) }
    }

    private func searched(for ext: String) -> [Bundle] {
        let kind = ext.hasPrefix(".") ? String(ext.dropFirst()) : ext
        guard ModelResource.pathExtensions.contains(kind), self !== Bundle.folderOfProgram else { return [self] }
        return ModelBundles.meant(by: [self])
    }

    private func first<Place>(_ ext: String, _ place: (Bundle) -> Place?) -> Place? {
        if let own = place(self) { return own }
        for bundle in searched(for: ext).dropFirst() {
            if let found = place(bundle) { return found }
        }
        return nil
    }
}
