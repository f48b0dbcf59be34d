import Foundation

extension ModelFile {
    /// The XML of a source model with the file that it is in; of a bundle of versions, that of the current one.
    ///
    /// It says more than the descriptions have room for: how classes are to be generated. Nil for models that
    /// aren't in XML.
    package static func sourceTree(_ url: URL) throws -> (root: XMLTree, file: URL)? {
        let file: URL
        switch try ModelLocation(url) {
        case .file(let single): file = single
        case .sourceBundle(let versions, let current):
            // The current version is one of the versions.
            return try sourceTree(versions[current]!)
        case .compiledBundle: return nil
        }
        let data = try ModelLocation.data(of: file)
        guard !data.starts(with: Data("bplist".utf8)) else { return nil }
        do {
            return (try XMLTreeParser.parse(data), file)
        } catch let error as ModelFileError {
            throw error.located(in: file)
        }
    }
}
