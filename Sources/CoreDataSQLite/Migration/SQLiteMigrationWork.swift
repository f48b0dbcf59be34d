@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB
import Foundation

/// The statements of a migration in place, in their order, inside its transaction.
///
/// New tables are filled beside the old ones; then rows that stay in their place are changed, old tables go, new ones get
/// their names, and indexes and triggers are made.
struct SQLiteMigrationWork {
    private let database: Database
    private let map: SQLiteMigrationMap
    private let reference: SQLiteSchemaReference
    private let history: SQLiteHistoryMigration?
    private let entries: [SQLiteSchemaReference.Entry]
    private let progress: (Double) -> Void
    private var editor: SQLiteSchemaEditor
    private var tables: [SQLiteTableMigration]
    private let joins: [SQLiteJoinMigration]
    /// The tables of the file whose rows stay in their place, with their new names.
    private var keptTables: [String: String] = [:]
    /// The highest keys that were given out, by old root table.
    private let highestKeys: [String: Int64]
    private let keepsModernHistory: Bool
    private let tombstoneCount: Int

    init(
        _ database: Database, map: SQLiteMigrationMap, layout: SQLiteFileLayout, progress: @escaping (Double) -> Void
    ) throws {
        self.database = database
        self.map = map
        self.progress = progress
        keepsModernHistory = layout.keepsModernHistory
        tombstoneCount =
            layout.columns[SQLiteName.changeTable.rawValue]?.count { $0.hasPrefix(SQLiteName.tombstonePrefix) } ?? 0
        history = layout.hasHistory ? SQLiteHistoryMigration(map: map) : nil
        reference = try SQLiteSchemaReference(map.new, historyTracking: keepsModernHistory)
        entries = try SQLiteSchemaReference.entries(of: database)
        editor = SQLiteSchemaEditor(database)
        tables = try map.new.tables.map { try SQLiteTableMigration($0, map: map) }
        joins = map.new.joinTables.map { SQLiteJoinMigration($0, map: map) }
        var highestKeys: [String: Int64] = [:]
        for table in map.old.tables {
            let root = map.old.entities[table.rootIndex]?.number ?? 0
            highestKeys[table.name] = try database.highestKey(ofEntity: root, in: table.name)
        }
        self.highestKeys = highestKeys
    }

    /// - Parameter defersIndexes: whether indexes that no rule of the model needs are left for later.
    /// - Returns: whether none was left.
    mutating func run(defersIndexes: Bool) throws -> Bool {
        try requireConcreteEntities()
        try dropTriggers()
        try keepRows()
        try copyRows()
        progress(0.6)
        for table in tables { for statement in table.updateStatements { try execute(statement) } }
        try migrateHistory()
        try keepIndexes()
        try dropOldTables()
        try editor.apply()
        progress(0.7)
        try writeEntities()
        try makeMissing { $0.type == "table" || ($0.type == "index" && !(defersIndexes && $0.isDeferrable)) }
        try computeDerivedAttributes()
        try computeDerivedTexts()
        try fillRTrees()
        try makeMissing { $0.type == "trigger" }
        try editor.order(as: reference.entries)
        try check(exceptDeferred: defersIndexes)
        progress(0.95)
        return try !defersIndexes || reference.deferred(in: database).isEmpty
    }

    private func execute(_ statement: SQLFragment) throws { try database.run(statement) }

    /// Objects of an entity that has become abstract would be of no entity.
    private func requireConcreteEntities() throws {
        for case let entity? in map.old.entities where !entity.layout.entity.isAbstract {
            guard let next = map.destination(of: entity), next.layout.entity.isAbstract else { continue }
            let condition: SQLFragment = map.isAlone(entity) ? "" : " WHERE \(.entity) = \(bind: .int(entity.number))"
            let count = try database.value(Int.self, "SELECT COUNT(*) FROM \(.name(entity.table))\(condition)") ?? 0
            guard count > 0 else { continue }
            throw MigrationError.make(
                "The objects of '\(entity.name)' can't be migrated: '\(next.name)' is abstract in the new model, and the store "
                    + "has \(count) of them. Delete them with the old model first, or make a mapping model that gives them "
                    + "another entity.", ["entity": entity.name])
        }
    }

    private var oldTables: Set<String> {
        Set(map.old.tables.map(\.name) + map.old.joinTables.map(\.name))
    }

    private func dropTriggers() throws {
        let tables = oldTables
        for entry in entries where entry.type == "trigger" && tables.contains(entry.table) {
            try execute("DROP TRIGGER \(.name(entry.name))")
        }
        for entry in entries where entry.type == "table" && entry.isRTree {
            try execute("DROP TABLE \(.name(entry.name))")
        }
    }

    // MARK: Rows

    private func columns(of table: String) throws -> [SQLiteColumn]? {
        let rows = try database.rows("SELECT name, type FROM pragma_table_info(\(bind: .text(table))) ORDER BY cid")
        let columns = rows.compactMap { row in
            SQLiteDeclaredType(rawValue: row[1]).map { SQLiteColumn(row[0], $0) }
        }
        return columns.count == rows.count ? columns : nil
    }

    /// Finds the tables whose rows may stay in their place.
    private mutating func keepRows() throws {
        let automatic = entries.filter { $0.type == "index" && $0.sql == nil }.map(\.table)
        let unique = Set(entries.filter(\.isUniqueIndex).map(\.table))
        let formers = tables.compactMap(\.former)
        for place in tables.indices {
            guard let former = tables[place].former, !automatic.contains(former),
                formers.count(where: { $0 == former }) == 1, let physical = try columns(of: former)
            else { continue }
            tables[place].keepRows(of: physical, hasUniqueIndex: unique.contains(former))
            if case .kept = tables[place].way {
                keptTables[former] = tables[place].table.name
                rename(former, to: tables[place].table.name, tables[place].table.createStatement.text)
            }
        }
        for join in joins {
            guard let former = join.kept, keptTables[former] == nil, automatic.count(where: { $0 == former }) == 1,
                let physical = try columns(of: former), join.canKeepRows(of: physical)
            else { continue }
            keptTables[former] = join.table.name
            rename(former, to: join.table.name, join.table.createStatement.text)
        }
    }

    private mutating func rename(_ table: String, to name: String, _ sql: String) {
        guard !entries.contains(where: { $0.type == "table" && $0.name == name && $0.table == table && $0.sql == sql })
        else { return }
        editor.rename(table, to: name, sql: sql)
    }

    private static func temporaryName(_ number: Int) -> String { "COREDATA_NEW_\(number)" }

    private mutating func copyRows() throws {
        var number = 0
        let kept = Set(keptTables.values)
        let total = Double(max(1, tables.count + joins.count))
        for table in tables where !kept.contains(table.table.name) {
            number += 1
            let name = Self.temporaryName(number)
            try execute(table.table.renamed(name).createStatement)
            if table.former != nil { try execute(table.copyStatement(into: name)) }
            editor.rename(name, to: table.table.name, sql: table.table.createStatement.text)
            progress(0.6 * Double(number) / total)
        }
        for join in joins where !kept.contains(join.table.name) {
            number += 1
            let name = Self.temporaryName(number)
            try execute(join.table.renamed(name).createStatement)
            for statement in join.copyStatements(into: name) { try execute(statement) }
            editor.rename(name, to: join.table.name, sql: join.table.createStatement.text)
            progress(0.6 * Double(number) / total)
        }
    }

    private mutating func migrateHistory() throws {
        guard let history else { return }
        try history.renumber(in: database)
        guard keepsModernHistory, history.needsCopy(of: tombstoneCount),
            let wanted = reference.entries.first(where: { $0.name == SQLiteName.changeTable.rawValue })?.sql
        else { return }
        let name = "COREDATA_NEW_CHANGES"
        // As the text of the editor is put into its place, it is made under another name only for now.
        try execute(
            .definition(
                wanted.replacing("TABLE " + SQLiteName.changeTable.rawValue, with: "TABLE " + name, maxReplacements: 1))
        )
        try execute(history.copyStatement(into: name, present: tombstoneCount))
        try execute("DROP TABLE \(.changeTable)")
        editor.rename(name, to: SQLiteName.changeTable.rawValue, sql: wanted)
    }

    // MARK: Schema

    /// Keeps the indexes of kept tables that are on the same columns, under their new names, and drops all others.
    private mutating func keepIndexes() throws {
        let shapes = try SQLiteSchemaReference.shapes(of: entries, in: database)
        var wanted = reference.entries.filter { $0.type == "index" && $0.sql != nil }
        let tables = oldTables
        for entry in entries where entry.type == "index" && entry.sql != nil && tables.contains(entry.table) {
            if let name = keptTables[entry.table], let shape = shapes[entry.name],
                let place = wanted.firstIndex(where: {
                    $0.table == name && reference.shape(ofIndex: $0.name) == shape
                })
            {
                let new = wanted.remove(at: place)
                if new != entry { editor.rename(index: entry.name, to: new) }
            } else {
                try execute("DROP INDEX \(.name(entry.name))")
            }
        }
    }

    private func dropOldTables() throws {
        for table in oldTables where keptTables[table] == nil { try execute("DROP TABLE \(.name(table))") }
    }

    private func makeMissing(_ isMeant: (SQLiteSchemaReference.Entry) -> Bool) throws {
        let present = Set(try SQLiteSchemaReference.entries(of: database).map { "\($0.type) \($0.name)" })
        for entry in reference.entries where isMeant(entry) && !present.contains("\(entry.type) \(entry.name)") {
            guard let sql = entry.sql, !(entry.type == "table" && entry.isPartOfRTree) else { continue }
            do {
                try execute(.definition(sql))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                throw SQLiteUniquenessError.make(index: entry.name, schema: map.new, in: database, cause: error)
            }
        }
    }

    /// Writes the rows of `Z_PRIMARYKEY`; Core Data's own entities keep theirs.
    private func writeEntities() throws {
        try execute(
            "DELETE FROM \(.entityTable) WHERE \(.entity) < \(bind: .int(SQLiteFileLayout.firstInternalNumber))")
        var highest: [Int64: Int64] = [:]
        for table in tables {
            guard let former = table.former, let root = map.new.entities[table.table.rootIndex] else { continue }
            highest[root.number] = highestKeys[former]
        }
        for row in map.new.primaryKeyRows(historyTracking: false) {
            try database.run(
                """
                INSERT INTO \(.entityTable) (\(.entity), \(.entityName), \(.superentity), \(.highestKey)) \
                VALUES (\(bind: .int(row.number)), \
                \(bind: .text(row.name)), \(bind: .int(row.superNumber)), \(bind: .int(highest[row.number] ?? 0)))
                """)
        }
    }

    // MARK: Computed values

    private func computeDerivedAttributes() throws {
        for case let entity? in map.new.entities {
            for statement in SQLiteDerivationTriggers.computations(
                of: entity, in: map.new, except: { isDerivedAsBefore($0, in: entity) })
            {
                try execute(statement)
            }
        }
    }

    /// What triggers can't derive has to wait for the functions of this connection.
    private func computeDerivedTexts() throws {
        try SQLiteUntriggeredValues(map.new).writeTexts(schema: map.new, in: database) { entity, name in
            entity.layout.property(named: name).map { isDerivedAsBefore($0, in: entity) } ?? true
        }
    }

    private func isDerivedAsBefore(_ property: PropertyLayout, in entity: SQLiteEntity) -> Bool {
        guard let former = map.source(of: property, in: entity) else { return map.source(of: entity) == nil }
        return former.property.versionHash == property.property.versionHash
    }

    private func fillRTrees() throws {
        for table in map.new.tables {
            for member in map.new.members(of: table) {
                for statement in try map.new.rTrees(of: member).map(\.fillStatement) { try execute(statement) }
            }
        }
    }

    // MARK: Checking

    /// Makes sure that the schema is that of a fresh store; where it isn't, the migration fails and is rolled back.
    private func check(exceptDeferred: Bool) throws {
        let present = Set(try SQLiteSchemaReference.entries(of: database))
        // Root pages and what SQLite adds by itself are no part of it.
        for entry in reference.entries where entry.sql != nil && !present.contains(entry) && !entry.isSystemTable {
            if exceptDeferred, entry.isDeferrable { continue }
            throw SQLiteStoreError.schema("the migration didn't make \(entry.type) \(entry.name) as it should have")
        }
    }
}

extension SQLiteSchemaReference.Entry {
    /// Whether it is a spatial index that an entity has.
    var isRTree: Bool {
        name.hasPrefix(SQLiteName.locationIndexPrefix) && sql?.hasPrefix("CREATE VIRTUAL TABLE") ?? false
    }

    /// An index that makes fetches faster. Nothing depends on it.
    var isDeferrable: Bool { type == "index" && sql?.hasPrefix("CREATE INDEX") ?? false }

    /// An index that lets no value occur twice.
    var isUniqueIndex: Bool { type == "index" && sql?.hasPrefix("CREATE UNIQUE INDEX") ?? false }

    /// A table in which SQLite keeps a spatial index.
    var isPartOfRTree: Bool {
        name.hasPrefix(SQLiteName.locationIndexPrefix)
            && ["_node", "_rowid", "_parent"].contains { name.hasSuffix($0) }
    }

    /// Old systems have other texts for these tables, which mean the same.
    var isSystemTable: Bool { type == "table" && SQLiteName.systemTables.contains(name) }
}

/// The error for rows that break a uniqueness constraint of the new model.
enum SQLiteUniquenessError {
    static func make(index: String, schema: SQLiteSchema, in database: Database, cause: DatabaseError)
        -> NSError
    {
        // This is an error already; what can't be counted is left out of its text.
        if let broken = try? SQLiteUniqueIndex.all(of: schema).first(where: { $0.name == index }) {
            let count = (try? broken.duplicates(in: database)) ?? 1
            let properties = broken.properties.joined(separator: ", ")
            return MigrationError.make(
                "The objects of '\(broken.entity)' can't be migrated: the new model makes \(properties) "
                    + "unique, and \(count) value(s) occur more than once. Make them unique with the old model first.",
                code: NSMigrationConstraintViolationError,
                ["entity": broken.entity, "property": properties, NSUnderlyingErrorKey: cause])
        }
        return SQLiteStoreError.error(.constraintMerge, "the index \(index) can't be made: \(cause)", underlying: cause)
    }
}
