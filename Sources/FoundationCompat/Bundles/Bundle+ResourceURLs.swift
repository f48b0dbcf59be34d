import Foundation

extension Bundle {
    /// The resources of an extension in a folder of the bundle, as values of the type that Apple's platforms have.
    ///
    /// Foundation on Linux declares the method with `NSURL`; where either would do, that one is taken.
    @_disfavoredOverload
    public func urls(forResourcesWithExtension name: String?, subdirectory: String?) -> [URL]? {
        let found: [NSURL]? = urls(forResourcesWithExtension: name, subdirectory: subdirectory)
        return found?.map { $0 as URL }
    }

    /// The resources of an extension for a language, as values of the type that Apple's platforms have.
    @_disfavoredOverload
    public func urls(
        forResourcesWithExtension name: String?, subdirectory: String?, localization: String?
    ) -> [URL]? {
        let found: [NSURL]? = urls(
            forResourcesWithExtension: name, subdirectory: subdirectory, localization: localization)
        return found?.map { $0 as URL }
    }
}
