import ArgumentParser
import CoreData
@_spi(Engine) import CoreDataRows

#if PostgreSQL
    import CoreDataPostgreSQL
#endif

/// What can be said and done about a store's file before it's opened.
enum StoreFile {
    /// The file's URL. A missing file is an error here: adding it to a coordinator would create it, and the tool
    /// never creates stores.
    static func url(_ path: String) throws -> URL {
        if isOnServer(path) { return try serverURL(path) }
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(path, "no such file.")
        }
        return URL(fileURLWithPath: path)
    }

    private static let serverSchemes = ["postgresql://", "postgres://"]

    private static func isOnServer(_ path: String) -> Bool { serverSchemes.contains { path.hasPrefix($0) } }

    /// The URL of a store in a server's database.
    private static func serverURL(_ text: String) throws -> URL {
        #if PostgreSQL
            guard let url = URL(string: text) else {
                // The text may have a password in it.
                throw ValidationError(
                    "The store's URL can't be read: expected postgresql://user@host/database?schema=name.")
            }
            return url
        #else
            throw ValidationError(
                "This coredata was built without PostgreSQL: build it with \u{201C}swift build --traits PostgreSQL --product coredata\u{201D}."
            )
        #endif
    }

    /// The type of a store.
    static func type(of url: URL) -> String {
        #if PostgreSQL
            if !url.isFileURL { return NSPostgreSQLStoreType }
        #endif
        return NSSQLiteStoreType
    }

    /// What messages call a store: its path, or its URL without the password.
    static func name(_ path: String) -> String {
        isOnServer(path) ? URL(string: path)?.withoutSecrets ?? "the store" : path
    }

    /// The model at a path, of a bundle the version that the store is of, if there is one; without a path the model that the
    /// store carries.
    static func model(at modelPath: String?, forStoreAt url: URL) throws -> NSManagedObjectModel {
        guard let modelPath else {
            return try naming(url.isFileURL ? url.path : url.withoutSecrets) {
                try NSPersistentStoreCoordinator.cachedModel(forStoreAt: url, ofType: type(of: url))
            }
        }
        return try naming(modelPath) {
            try version(in: modelPath, ofStoreAt: url) ?? ModelFile.read(URL(fileURLWithPath: modelPath))
        }
    }

    /// The version in a model bundle that a store is of.
    static func version(in modelPath: String, ofStoreAt url: URL) -> NSManagedObjectModel? {
        // Reading the whole model, or opening the store, comes next and says what can't be read.
        guard let versions = try? ModelFile.readVersions(URL(fileURLWithPath: modelPath)), versions.models.count > 1,
            let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: type(of: url), at: url)
        else { return nil }
        return versions.models.sorted { $0.key < $1.key }.map(\.value).first {
            $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
    }

    /// Does some work; an error in it that doesn't name a file yet gets this one's path.
    static func naming<Result>(_ path: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let error as ValidationError {
            throw error
        } catch {
            let text = FailureText.describe(error)
            let names = [path, (error as NSError).userInfo[NSFilePathErrorKey] as? String]
            let isNamed = names.compactMap { $0 }.contains { text.contains($0) }
            throw isNamed ? CommandFailure(text) : CommandFailure(path, text)
        }
    }
}
