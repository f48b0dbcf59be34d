import Foundation

/// The files that hold values outside of a store's own file.
package struct ExternalFiles: Sendable {
    /// Where they lie; nil where the store has no such place.
    package var folder: URL?
    package var files: [URL]
    /// Whether the folder is that of another store, too: then nobody can tell whose the files are without that one's model.
    package var isShared: Bool

    package init(folder: URL? = nil, files: [URL] = [], isShared: Bool = false) {
        self.folder = folder
        self.files = files
        self.isShared = isShared
    }
}
