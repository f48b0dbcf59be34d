@_spi(Engine) import CoreDataRows
import Foundation

/// The sections of a controller in a file, so that the next start needn't read every object to know them.
///
/// A file is used only where nothing has changed since it was written that could change the sections: the request, the
/// entity, and the files of the stores (Apple: NSFetchedResultsController, "The Controller's Cache"). Sections of stores
/// without files aren't cached.
struct SectionCache {
    private struct Contents: Codable {
        let key: String
        let runs: [SectionRun]
    }

    private let url: URL
    private let key: String

    /// Whether nothing has been written to the stores between the two.
    func isOfSameState(as other: SectionCache) -> Bool { key == other.key }

    /// Nil where the results can't be cached.
    init?(named name: String, request: AnyFetchRequest, sectionNameKeyPath: String, stores: [NSPersistentStore]) {
        guard let folder = Self.folder, let entity = request.entityName, !stores.isEmpty else { return nil }
        var parts = [entity, sectionNameKeyPath, request.predicate?.parsableFormat ?? ""]
        parts += (request.sortDescriptors ?? []).map(\.description)
        parts.append("\(request.includesSubentities) \(request.fetchLimit) \(request.fetchOffset)")
        for store in stores {
            guard let place = store.url, let state = Self.state(ofFilesOf: store, at: place) else { return nil }
            let hashes = store.metadata?[NSStoreModelVersionHashesKey] as? [String: Data]
            parts += [store.identifier ?? "", place.path, state, hashes?[entity]?.base64EncodedString() ?? ""]
        }
        key = parts.joined(separator: "\u{0}")
        url = folder.appendingPathComponent(Self.fileName(of: name))
    }

    /// The sections of so many objects as they were written; nil where they may have changed since.
    func read(ofObjects count: Int) -> [SectionRun]? {
        // A cache that can't be read is none: the sections are worked out anew.
        guard let data = try? RegularFile.contents(of: url),
            let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.key == key,
            contents.runs.allSatisfy({ $0.count > 0 && $0.count <= count }),
            Set(contents.runs.map(\.name)).count == contents.runs.count,
            // Each is at most the whole, and there are no more of them than objects: the sum has room.
            contents.runs.count <= count, contents.runs.reduce(0, { $0 + $1.count }) == count
        else { return nil }
        return contents.runs
    }

    /// Writes the sections. Where that fails there is no cache, and nothing else is lost.
    func write(_ runs: [SectionRun]) {
        // Without a cache the sections are worked out anew, which only takes longer.
        guard let data = try? JSONEncoder().encode(Contents(key: key, runs: runs)) else { return }
        // Titles of sections are values of objects, so other users mayn't look into the folder.
        let folder = url.deletingLastPathComponent()
        // It may be there, which is seen next.
        try? FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: StoreFileMode.privateFolder)
        // Without a cache the sections are worked out anew, which only takes longer.
        guard (try? FileManager.default.setAttributes(StoreFileMode.privateFolder, ofItemAtPath: folder.path)) != nil
        else {
            return
        }
        // The same.
        try? data.write(to: url, options: .atomic)
    }

    /// Deletes the file of that name, or all of this program's.
    static func delete(named name: String?) {
        guard let folder else { return }
        // There may be none. One that stays is checked against request and stores before it is used.
        try? FileManager.default.removeItem(at: name.map { folder.appendingPathComponent(fileName(of: $0)) } ?? folder)
    }

    /// Programs share the folder for caches on Linux, so each has one of its own in it.
    private static var folder: URL? {
        let program = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appendingPathComponent(program.replacingOccurrences(of: "/", with: "_"))
            .appendingPathComponent("CoreData sections")
    }

    private static func fileName(of name: String) -> String {
        (name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "cache") + ".json"
    }

    /// When a store's files were last written, and how long they are.
    private static func state(ofFilesOf store: NSPersistentStore, at url: URL) -> String? {
        let url = url.followingLinks
        let files = type(of: store).unopenedStores?.contentFiles(ofStoreAt: url) ?? [url]
        let parts = files.map { file -> String? in
            // A store without a file has no stamp.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
                attributes[.type] as? FileAttributeType == .typeRegular,
                let date = attributes[.modificationDate] as? Date, let size = attributes[.size]
            else { return nil }
            return "\(date.timeIntervalSinceReferenceDate) \(size)"
        }
        return parts[0] == nil ? nil : parts.map { $0 ?? "" }.joined(separator: " ")
    }
}
