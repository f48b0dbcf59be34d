import CoreData

/// Where commands take a model from: a model file of any kind, or a store that carries its model.
enum ModelSource {
    static func read(_ path: String, version: String? = nil) throws -> NSManagedObjectModel {
        let url = try StoreFile.url(path)
        guard version == nil, isDatabase(url) else { return try ModelFile.read(url, version: version) }
        return try StoreFile.model(at: nil, forStoreAt: url)
    }

    /// What SQLite's files begin with is known from its page "Database File Format".
    private static func isDatabase(_ url: URL) -> Bool {
        // What can't be read is no database; reading it as a model says why it can't be. It is only read, so closing can't lose anything.
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }
}
