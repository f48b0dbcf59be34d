import CoreData
import Foundation

/// Brings a store of a million counters to a model in which the entity has another name and one attribute more.
///
/// The new name leaves the entity in its place among the others, and so the number that each row has of it; with one that
/// doesn't, every row has to be written.
struct MigrateCounters: SizedWorkload {
    /// Where the new attribute's column comes to lie.
    enum Place: String {
        /// After all others, so that rows can stay as they are.
        case end
        /// Before others, as the file's order of columns demands, so that each row is written anew.
        case middle
    }

    let place: Place
    var count = 1_000_000

    var name: String { "migrate-\(place.rawValue)" }
    var title: String {
        place == .end
            ? "1,000,000: rename entity, add attribute (column at the end)"
            : "1,000,000: rename entity, add attribute (column in the middle)"
    }
    var sides: [Side] { [.plain, .coreData] }
    var growthTitle: String {
        place == .end ? "migrate in place (column at the end)" : "migrate in place (column in the middle)"
    }
    var largestSize: Int { 10_000_000 }
    var template: StoreTemplate { .counters(count) }
    var outcome: String? {
        "SELECT COUNT(*) + COUNT(ZADDED) + SUM(Z_PK + Z_ENT + Z_OPT) "
            + "+ SUM(\(PlainCounters.columns.joined(separator: " + "))) FROM ZCOUNTING"
    }

    func plain(_ store: URL) throws -> Work {
        let columns = PlainCounters.columns
        let fixed = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
        let declared = columns.map { ", \($0) INTEGER" }.joined()
        let names = "Z_PK, Z_ENT, Z_OPT, \(columns.joined(separator: ", "))"
        // Opened as part of the work, as a store that migrates is.
        return {
            let database = try PlainDatabase(store)
            try database.transaction {
                switch place {
                case .end:
                    try database.execute("ALTER TABLE ZCOUNTER ADD COLUMN ZADDED VARCHAR")
                    try database.execute("ALTER TABLE ZCOUNTER RENAME TO ZCOUNTING")
                case .middle:
                    try database.execute("CREATE TABLE ZCOUNTING ( \(fixed), ZADDED INTEGER\(declared) )")
                    try database.execute("INSERT INTO ZCOUNTING (\(names)) SELECT \(names) FROM ZCOUNTER")
                    try database.execute("DROP TABLE ZCOUNTER")
                }
                try database.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Counting' WHERE Z_NAME = 'Counter'")
            }
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return 0
        }
    }

    func records(_ store: URL) throws -> Work { throw BenchmarkError("\(name) has no side with records") }

    func coreData(_ store: URL) throws -> Work {
        let model = Self.model(place)
        return {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let migrated = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: store,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
            try coordinator.remove(migrated)
            return 0
        }
    }

    static func model(_ place: Place) -> NSManagedObjectModel {
        let model = BenchmarkModel.make(isIndexed: false)
        guard let entity = model.entitiesByName["Counter"] else { return model }
        entity.name = "Counting"
        entity.renamingIdentifier = "Counter"
        let added = NSAttributeDescription()
        added.name = "added"
        added.attributeType = place == .end ? .stringAttributeType : .integer64AttributeType
        added.isOptional = true
        entity.properties += [added]
        return model
    }
}
