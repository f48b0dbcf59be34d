@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import ManagedObjectModel

/// In what a store is of another version of the model.
struct SQLiteVersionComparison {
    let database: Database
    let model: NSManagedObjectModel

    /// One for each entity, down to the properties where the store has a copy of its own model.
    func problems() throws -> [SQLiteExamination.Problem] {
        let stored = NSManagedObjectModel.versionHashes(in: try SQLiteMetadata.read(database)) ?? [:]
        let own = model.entityVersionHashesByName
        guard stored != own else { return [] }
        // Without the file's own model the comparison names entities only.
        let carried = try? SQLiteModelCache.read(database)
        return Set(stored.keys).union(own.keys).sorted().filter { stored[$0] != own[$0] }.map { name in
            SQLiteExamination.Problem(
                finding: StoreFinding(
                    .versionHash, name, message(name, isStored: stored[name] != nil, isOwn: own[name] != nil, carried),
                    isRepairable: false))
        }
    }

    private func message(_ name: String, isStored: Bool, isOwn: Bool, _ carried: NSManagedObjectModel?) -> String {
        guard isStored else { return "the entity is in the model only" }
        guard isOwn else { return "the entity is in the store only" }
        let detail = EntityDifferences.text(of: name, store: carried, model: model)
        return "the version hash in the metadata is not that of the model" + (detail.isEmpty ? "" : ": \(detail)")
    }
}
