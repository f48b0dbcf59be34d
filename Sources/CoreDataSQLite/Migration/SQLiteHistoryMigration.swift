@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

/// Takes persistent history along: changes name entities by number, properties by the place of a bit, and keep values in
/// columns by the place of a name.
///
/// Our choice: Apple's framework seems to leave old bits as they are, so that they mean other properties afterwards; here
/// they are put in their new places. Changes of entities that are gone go with them.
struct SQLiteHistoryMigration {
    let map: SQLiteMigrationMap
    private let translations: [Int64: Translation]

    private struct Translation {
        var number: Int64
        /// The new place of each bit, by the old one; -1 for what is gone.
        var places: [Int]
        /// The old place of the value that is kept at each new one.
        var tombstones: [Int?]
        var isSame: Bool
    }

    init(map: SQLiteMigrationMap) {
        self.map = map
        var translations: [Int64: Translation] = [:]
        for case let old? in map.old.entities {
            guard let new = map.destination(of: old) else { continue }
            translations[old.number] = Self.translation(from: old, to: new, map)
        }
        self.translations = translations
    }

    private static func translation(
        from old: SQLiteEntity, to new: SQLiteEntity, _ map: SQLiteMigrationMap
    ) -> Translation {
        let (former, current) = (SQLiteHistoryBitmap(old).places, SQLiteHistoryBitmap(new).places)
        var places: [Int: Int] = [:]
        for property in new.layout.properties {
            guard let source = map.source(of: property, in: new), let from = former[source.index],
                let to = current[property.index]
            else { continue }
            places[from] = to
            if old.entityColumn(of: source) != nil, new.entityColumn(of: property) != nil { places[from + 1] = to + 1 }
        }
        let count = (former.compactMap { $0 }.max() ?? -1) + 2
        let kept = map.old.keptProperties(of: old).map(\.name)
        let tombstones = map.new.keptProperties(of: new).map { property in
            map.source(of: property, in: new).flatMap { kept.firstIndex(of: $0.name) }
        }
        let list = (0..<count).map { places[$0] ?? -1 }
        let isSame =
            old.number == new.number && list.enumerated().allSatisfy { $1 < 0 || $0 == $1 }
            && former.compactMap { $0 }.allSatisfy { places[$0] != nil }
        return Translation(number: new.number, places: list, tombstones: tombstones, isSame: isSame)
    }

    /// Changes the rows of `ACHANGE` in their place.
    func renumber(in database: Database) throws {
        try database.run(
            "DELETE FROM \(.changeTable) WHERE \(.changedEntity) NOT IN (\(.numbers(Array(translations.keys))))")
        guard translations.values.contains(where: { !$0.isSame }) else { return }
        let numbers = translations.mapValues(\.number)
        let places = translations.mapValues(\.places)
        typealias Names = SQLiteMigrationFunction
        let number = SQLiteFunction(Names.historyEntity, argumentCount: 1, isPure: true) { arguments in
            Int64.fromDatabaseValue(arguments[0]).flatMap { numbers[$0] }
        }
        let columns = SQLiteFunction(Names.historyColumns, argumentCount: 2, isPure: true) { arguments in
            guard let entity = Int64.fromDatabaseValue(arguments[0]), let places = places[entity],
                let bits = Data.fromDatabaseValue(arguments[1])
            else { return nil }
            return Self.translate(bits, places)
        }
        try number.register(in: database)
        try columns.register(in: database)
        defer {
            number.remove(from: database)
            columns.remove(from: database)
        }
        try database.run(
            """
            UPDATE \(.changeTable) SET \(.changedEntity) = \(.function(Names.historyEntity))(\(.changedEntity)), \
            \(.changedColumns) = \(.function(Names.historyColumns))(\(.changedEntity), \(.changedColumns))
            """)
    }

    private static func translate(_ bits: Data, _ places: [Int]) -> Data {
        var result = Data()
        for (byte, value) in bits.enumerated() {
            for bit in 0..<8 where value & (0x80 >> UInt8(bit)) != 0 {
                let place = byte * 8 + bit
                guard place < places.count, places[place] >= 0 else { continue }
                let new = places[place]
                while result.count <= new / 8 { result.append(0) }
                result[new / 8] |= 0x80 >> UInt8(new % 8)
            }
        }
        return result
    }

    /// Whether kept values have to go to other columns.
    func needsCopy(of present: Int) -> Bool {
        newCount != present
            || translations.values.contains { translation in
                translation.tombstones.enumerated().contains { $0 != $1 }
            }
    }

    private var newCount: Int {
        map.new.entities.compactMap { $0.map { map.new.tombstoneProperties(of: $0).count } }.max() ?? 0
    }

    /// Copies renumbered changes into a table with the columns of the new model.
    func copyStatement(into name: String, present: Int) -> SQLFragment {
        let fixed =
            SQLiteName.rowColumns
            + SQLiteName.texts(.changeType, .changedEntity, .changedKey, .transactionOfChange, .changedColumns)
        var values = fixed.map(SQLFragment.name)
        for place in 0..<newCount {
            let cases = translations.values.sorted { $0.number < $1.number }.compactMap { translation -> SQLFragment? in
                guard place < translation.tombstones.count, let old = translation.tombstones[place], old < present
                else { return nil }
                return "WHEN \(.number(translation.number)) THEN \(.name(SQLiteName.tombstone(old)))"
            }
            values.append(cases.isEmpty ? "NULL" : "CASE \(.changedEntity) \(cases.joined(separator: " ")) END")
        }
        let names = (fixed + (0..<newCount).map(SQLiteName.tombstone)).map(SQLFragment.name)
        return """
            INSERT INTO \(.name(name)) (\(names.joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) FROM \(.changeTable) ORDER BY \(.key)
            """
    }

    /// Writes the transaction that says that the store was migrated (as in Photos stores).
    ///
    /// - Parameter label: that of the stage; it becomes the name of the context (our choice).
    static func recordMigration(
        fromDigest digest: String, label: String?, schema: SQLiteSchema, in database: Database
    ) throws {
        let author = HistoryAuthor(
            author: "com.apple.coredata.schemamigrator: lightweight migration from model with digest { \(digest) }",
            contextName: label.flatMap { $0.isEmpty ? nil : $0 })
        let recorder = try SQLiteHistoryRecorder.forStore(
            database, schema: schema, author: author, knownShape: SQLiteKnownHistoryShape())
        try recorder?.finish()
    }
}
