import Foundation

/// The files that hold values outside of a store's own file.
package struct ExternalFiles: Sendable {
    /// Where they lie; nil where the store has no such place.
    package var folder: URL?
    package var files: [URL]
    /// Whether another store uses the same folder. Then a file's owner can't be told without the model of the other
    /// store.
    package var isShared: Bool

    package init(folder: URL? = nil, files: [URL] = [], isShared: Bool = false) {
        self.folder = folder
        self.files = files
        self.isShared = isShared
    }
}
