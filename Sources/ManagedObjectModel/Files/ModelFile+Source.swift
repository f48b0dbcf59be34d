import Foundation

extension ModelFile {
    /// The XML of a version of a source model, with the file that it is in.
    package struct SourceTree {
        package let root: XMLTree
        package let file: URL

        package init(root: XMLTree, file: URL) {
            self.root = root
            self.file = file
        }
    }

    /// The XML of a source model; of a bundle of versions, that of the current one.
    ///
    /// It says more than the descriptions have room for: how classes are to be generated. Nil for models that
    /// aren't in XML.
    package static func sourceTree(_ url: URL) throws -> SourceTree? {
        let versions = try ModelLocation(url).versions
        return try versions.files[versions.current].flatMap(sourceTree(inFile:))
    }

    /// The XML of every version of a source model, by the names of versions, without those that aren't in XML.
    package static func sourceTrees(_ url: URL) throws -> [String: SourceTree] {
        try ModelLocation(url).versions.files.compactMapValues(sourceTree(inFile:))
    }

    private static func sourceTree(inFile version: URL) throws -> SourceTree? {
        guard case .file(let file) = try ModelLocation(version) else { return nil }
        let data = try ModelLocation.data(of: file)
        guard !data.starts(with: Data("bplist".utf8)) else { return nil }
        do {
            return SourceTree(root: try XMLTreeParser.parse(data), file: file)
        } catch let error as ModelFileError {
            throw error.located(in: file)
        }
    }
}
