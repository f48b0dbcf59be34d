import Foundation

/// The folders that every program has on Apple's platforms, and that are missing on many a server: for documents, support
/// files and caches.
enum StandardFolders {
    private static let kinds: [FileManager.SearchPathDirectory] = [
        .documentDirectory, .applicationSupportDirectory, .cachesDirectory,
    ]

    /// Makes the folder that a store is to lie in, where that is one of these and isn't there. What else is missing stays so:
    /// the store says that it can't be made.
    static func make(forStoreAt url: URL) {
        guard url.isFileURL else { return }
        let manager = FileManager.default
        let folder = url.deletingLastPathComponent().standardizedFileURL
        guard !manager.fileExists(atPath: folder.path) else { return }
        let isStandard = kinds.contains { kind in
            manager.urls(for: kind, in: .userDomainMask).contains { $0.standardizedFileURL.path == folder.path }
        }
        // Where this fails, opening the store says why it can't be made.
        if isStandard { try? manager.createDirectory(at: folder, withIntermediateDirectories: true) }
    }
}
