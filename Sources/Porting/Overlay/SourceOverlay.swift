import Foundation

/// Copies of files that the compiler sees in the place of the originals.
///
/// The description is what clang and swiftc call a virtual file system; names stay those of the originals, so messages
/// and debug information do too.
package struct SourceOverlay {
    private static let descriptionName = "overlay.json"

    /// The folder of the copies.
    private let folder: URL
    private var copies: [(original: URL, copy: URL)] = []

    package init(folder: URL) { self.folder = folder }

    /// The file that describes the overlay.
    package var description: URL { folder.appendingPathComponent(Self.descriptionName) }

    /// Lays a text over a file. A copy that is there already and the same isn't written again.
    package mutating func add(_ text: String, over original: URL) throws {
        let copy = folder.appendingPathComponent("files").appendingPathComponent(original.path)
        try Self.write(Data(text.utf8), to: copy)
        copies.append((original, copy))
    }

    /// Writes the description, and removes the copies of earlier runs that no longer belong to it.
    package func write() throws {
        let description = VirtualFileSystem(
            roots: copies.map { .init(name: $0.original.path, contents: $0.copy.path) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        try Self.write(try encoder.encode(description), to: self.description)
        let current = Set(copies.map(\.copy.path))
        for file in PackageFolder.sources(under: folder) where !current.contains(file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }

    private static func write(_ data: Data, to file: URL) throws {
        // A file that can't be read is written.
        if let present = try? Data(contentsOf: file), present == data { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
    }
}

/// A virtual file system as LLVM reads it: YAML, of which JSON is a part.
private struct VirtualFileSystem: Encodable {
    struct Root: Encodable {
        let type = "file"
        let name: String
        let externalContents: String

        init(name: String, contents: String) {
            self.name = name
            externalContents = contents
        }

        enum CodingKeys: String, CodingKey {
            case type, name
            case externalContents = "external-contents"
        }
    }

    let version = 0
    let caseSensitive = "true"
    let useExternalNames = "false"
    let roots: [Root]

    enum CodingKeys: String, CodingKey {
        case version, roots
        case caseSensitive = "case-sensitive"
        case useExternalNames = "use-external-names"
    }
}
