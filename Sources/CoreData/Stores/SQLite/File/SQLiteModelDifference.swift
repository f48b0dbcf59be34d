import Foundation
import ManagedObjectModel

/// What differs between the model for which a store was made and the one with which it is opened, in words.
struct SQLiteModelDifference {
    /// A line for each entity that differs, with its properties where they are known.
    private(set) var lines: [String] = []

    /// - Parameters:
    ///   - stored: the version hashes in the store's metadata.
    ///   - current: those of the model's entities.
    ///   - cached: the model that the store keeps of itself, where it does.
    init(
        stored: [String: Data], current: [String: Data], cached: NSManagedObjectModel?, model: NSManagedObjectModel
    ) {
        for name in Set(stored.keys).union(current.keys).sorted() where stored[name] != current[name] {
            if current[name] == nil {
                lines.append("the store has an entity \(name) that the model lacks")
            } else if stored[name] == nil {
                lines.append("the model has an entity \(name) that the store lacks")
            } else if let mine = model.entitiesByName[name], let theirs = cached?.entitiesByName[name] {
                lines.append(Self.line(name, stored: theirs, current: mine))
            } else {
                lines.append("the entity \(name) differs")
            }
        }
    }

    private static func line(_ name: String, stored: NSEntityDescription, current: NSEntityDescription) -> String {
        let old = stored.propertiesByName
        let new = current.propertiesByName
        let missing = Set(old.keys).subtracting(new.keys).sorted()
        let added = Set(new.keys).subtracting(old.keys).sorted()
        let changed = Set(new.keys).intersection(old.keys).sorted().filter { property in
            guard let before = old[property], let after = new[property] else { return false }
            return VersionHasher.hash(of: before) != VersionHasher.hash(of: after)
        }
        var parts: [String] = []
        if !missing.isEmpty { parts.append("only in the store: \(missing.joined(separator: ", "))") }
        if !added.isEmpty { parts.append("only in the model: \(added.joined(separator: ", "))") }
        if !changed.isEmpty { parts.append("changed: \(changed.joined(separator: ", "))") }
        if stored.isAbstract != current.isAbstract { parts.append("abstract in one of the two only") }
        if stored.superentity?.name != current.superentity?.name { parts.append("another superentity") }
        if parts.isEmpty { parts.append("its version hash modifier or its superentity changed") }
        return "the entity \(name) differs (\(parts.joined(separator: "; ")))"
    }

    /// `NSPersistentStoreIncompatibleVersionHashError`, with the differences in its text; nil where there are none.
    func error(at url: URL, metadata: [String: Any]) -> NSError? {
        guard !lines.isEmpty else { return nil }
        let text =
            "the model used to open the store is incompatible with the one used to create the store: "
            + lines.joined(separator: "; ")
        return SQLiteStoreError.error(
            .incompatibleVersionHash, text, url: url, userInfo: ["metadata": metadata, "differences": lines])
    }
}

extension SQLiteFile {
    /// Checks that a store was made for a model's version.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError`, whose text says which entities and properties differ,
    ///   as far as the store tells.
    func requireCompatibility(with schema: SQLiteSchema, metadata: [String: Any]) throws {
        let stored = metadata[SQLiteMetadata.Key.hashes] as? [String: Data] ?? [:]
        let current = VersionHasher.hashes(of: schema.entities.compactMap { $0?.layout.entity })
        guard stored != current else { return }
        // A cache that can't be read makes the text shorter; the incompatibility is what has to be reported.
        let cached = try? read { try SQLiteModelCache.read($0) }
        let difference = SQLiteModelDifference(
            stored: stored, current: current, cached: cached, model: schema.model.model)
        if let error = difference.error(at: url, metadata: metadata) { throw error }
    }
}
