@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Takes persistent history along: changes name properties, and keep values by their names. Entities keep their numbers; the
/// changes of those that are gone go with them.
struct PostgreSQLHistoryMigration {
    let map: PostgreSQLMigrationMap

    func run(in connection: PostgreSQLConnection) throws {
        let changes = PostgreSQLHistoryTables(map.new).changes
        let kept = map.old.entities.compactMap { $0 }.filter { map.destination(of: $0) != nil }
        var parameters = PostgreSQLParameters()
        parameters.append(kept.map { Int64($0.number) })
        try connection.execute("DELETE FROM \(changes) WHERE \"entity\" <> ALL($1)", parameters)
        for entity in kept { try rename(entity, changes, connection) }
    }

    private func rename(_ old: PostgreSQLEntity, _ changes: SQLFragment, _ connection: PostgreSQLConnection) throws {
        guard let new = map.destination(of: old) else { return }
        var names: [(former: String, current: String)] = []
        for property in new.layout.properties {
            if let former = map.source(of: property, in: new) { names.append((former.name, property.name)) }
        }
        let known = Set(names.map(\.former))
        guard
            names.contains(where: { $0.former != $0.current })
                || old.layout.properties.contains(where: { !known.contains($0.name) })
        else { return }
        var parameters = PostgreSQLParameters()
        parameters.append(Int64(old.number))
        parameters.append(texts: names.map { $0.former.replacing("\u{0}", with: "\u{FFFD}") })
        parameters.append(texts: names.map { $0.current.replacing("\u{0}", with: "\u{FFFD}") })
        try connection.execute(
            """
            UPDATE \(changes) c SET \
            "properties" = CASE WHEN c."properties" IS NOT NULL THEN COALESCE((SELECT array_agg(m.current) \
            FROM unnest(c."properties") AS p(name) JOIN unnest($2, $3) AS m(former, current) ON m.former = p.name), \
            CAST(ARRAY[] AS text[])) END, \
            "tombstone" = (SELECT jsonb_object_agg(m.current, t.value) FROM jsonb_each(c."tombstone") AS t(name, value) \
            JOIN unnest($2, $3) AS m(former, current) ON m.former = t.name) \
            WHERE c."entity" = $1 AND (c."properties" IS NOT NULL OR c."tombstone" IS NOT NULL)
            """, parameters)
    }

    /// Writes the transaction that says that the store was migrated.
    ///
    /// - Parameter label: that of the stage; it becomes the name of the context (our choice).
    static func record(
        fromDigest digest: String, label: String?, _ schema: PostgreSQLSchema, notifying channel: String?,
        in connection: PostgreSQLConnection
    ) throws {
        let author = HistoryAuthor(
            author: "com.apple.coredata.schemamigrator: lightweight migration from model with digest { \(digest) }",
            contextName: label.flatMap { $0.isEmpty ? nil : $0 })
        _ = try PostgreSQLHistoryRecorder(schema, author).write(in: connection, notifying: channel)
    }
}
