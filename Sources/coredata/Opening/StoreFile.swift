import ArgumentParser
import CoreData

/// What can be said and done about a store's file before it's opened.
enum StoreFile {
    /// The file's URL. A missing file is an error here: adding it to a coordinator would create it, and the tool
    /// never creates stores.
    static func url(_ path: String) throws -> URL {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(path, "no such file.")
        }
        return URL(fileURLWithPath: path)
    }

    /// The model at a path, or else the one that the store carries.
    static func model(at modelPath: String?, forStoreAt url: URL) throws -> NSManagedObjectModel {
        guard let modelPath else {
            return try naming(url.path) {
                try NSPersistentStoreCoordinator.cachedModel(forStoreAt: url, ofType: NSSQLiteStoreType)
            }
        }
        return try naming(modelPath) { try ModelFile.read(URL(fileURLWithPath: modelPath)) }
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
