@_spi(Engine) import CoreDataRows
import CoreData
import Foundation
import Testing

@Suite(
    "Changes in copies of Apple's stores", .serialized,
    .enabled(if: SQLiteSchemaFixtures.folder != nil, "skipped: no fixtures are present"))
struct FixtureSavingTests {
    @Test(
        "leave a sound store, the versions raised by one a save, and every other row as it was",
        arguments: FixtureModels.stores)
    func saving(_ store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try FixtureModels.model(of: store))
        let copy = try FixtureCopy(store)
        let before = try Self.soundness(of: copy.url, model)
        let dangling = try before.dangling()
        let recorded = RecordedSaves()
        let values: [URL: [String: String]]
        do {
            let stack = try StoreStack(copy.url, model: model)
            let observer = recorded.observe(stack.context)
            defer { observer.forEach(NotificationCenter.default.removeObserver) }
            let changes = GenericChanges(context: stack.context, model: model)
            try changes.run()
            for kind in [GenericChanges.Kind.insert, .update] {
                #expect(changes.saved[kind] ?? 0 > 0, "\(kind): \(changes.refused[kind] ?? 0) refused, none saved")
            }
            values = try Self.values(of: recorded.changes.touched, in: stack)
            try stack.close()
        }
        let plain = try PlainDatabase(copy.url)
        #expect(try plain.rows("PRAGMA integrity_check").first?.first?.string == "ok")
        let after = try Self.soundness(of: copy.url, model)
        #expect(after.lowMaximums() == [])
        let left = try after.dangling().subtracting(dangling).sorted()
        #expect(Array(left.prefix(5)) == [])
        let triggered = try Self.triggeredColumns(plain)
        Self.compare(
            before.content, after.content, recorded.changes, Self.storeColumns(before).union(triggered))

        let stack = try StoreStack(copy.url, model: model)
        let reread = try Self.values(of: recorded.changes.touched, in: stack)
        let different = values.filter { reread[$0.key] != $0.value }
        for (url, old) in different {
            let keys = old.keys.filter { reread[url]?[$0] != old[$0] }.sorted()
            // What a trigger writes, the context that saved doesn't see.
            if keys.allSatisfy({ key in triggered.contains { $0.hasSuffix(".Z" + key.uppercased()) } }) { continue }
            Issue.record(
                "\(url.path): \(keys.map { "\($0) was \(old[$0] ?? "") and is \(reread[url]?[$0] ?? "")" })")
        }
        var comparison = try ObjectComparison(context: stack.context, database: plain, model: model)
        comparison.limit = 60
        try comparison.run()
        #expect(comparison.differences == [])
        try stack.close()
    }

    private static func soundness(of url: URL, _ model: NSManagedObjectModel) throws -> PlainSoundness {
        let database = try PlainDatabase(url)
        return PlainSoundness(
            content: try database.content(), layout: try PlainLayout(model: model, database: database), model: model)
    }

    /// The columns that a save writes in rows which aren't changed themselves: the places in ordered relationships, the
    /// owners in relationships without inverse, and what triggers derive.
    private static func storeColumns(_ soundness: PlainSoundness) -> Set<String> {
        var columns: Set<String> = []
        for entity in soundness.model.entities {
            let place = soundness.layout.entities[entity.name!]!
            for attribute in entity.attributesByName.values where attribute is NSDerivedAttributeDescription {
                if let column = place.columns[attribute.name] { columns.insert("\(place.table).\(column)") }
            }
            for relationship in entity.relationshipsByName.values where relationship.isToMany {
                if case .pairs(let table, let source, "Z_PK", let order)? = try? soundness.layout.members(
                    of: relationship, in: entity)
                {
                    if let order { columns.insert("\(table).\(order)") }
                    if relationship.inverseRelationship == nil { columns.insert("\(table).\(source)") }
                }
            }
        }
        return columns
    }

    /// The columns that the file's own triggers write, which Photos has for counts.
    private static func triggeredColumns(_ database: PlainDatabase) throws -> Set<String> {
        var columns: Set<String> = []
        for row in try database.rows("SELECT sql FROM sqlite_master WHERE type = 'trigger'") {
            for match in (row[0].string ?? "").matches(of: /UPDATE (\w+) SET (\w+) ?=/) {
                columns.insert("\(match.1).\(match.2)")
            }
        }
        return columns
    }

    /// The values of objects as text, by URI and property.
    private static func values(of urls: Set<URL>, in stack: StoreStack) throws -> [URL: [String: String]] {
        var result: [URL: [String: String]] = [:]
        for url in urls {
            let id = stack.container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: url)
            let object = try stack.context.existingObject(with: try #require(id))
            var values: [String: String] = [:]
            for property in object.entity.properties where !property.isTransient {
                if property is NSDerivedAttributeDescription { continue }
                if (property as? NSAttributeDescription)?.attributeType == .transformableAttributeType { continue }
                values[property.name] = text(object.value(forKey: property.name))
            }
            result[url] = values
        }
        return result
    }

    private static func text(_ value: Any?) -> String {
        switch value {
        case let object as NSManagedObject: object.objectID.uriRepresentation().path
        // A relationship without inverse keeps in memory what was deleted meanwhile; a store keeps none of it.
        case let set as NSOrderedSet:
            "\(set.array.filter { ($0 as? NSManagedObject)?.managedObjectContext != nil }.map { text($0) })"
        case let set as Set<NSManagedObject>:
            "\(set.filter { $0.managedObjectContext != nil }.map { text($0) }.sorted())"
        case let values as [String: Any]: "\(values.map { "\($0.key): \(text($0.value))" }.sorted())"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
        case let value?: "\(value)"
        case nil: "nil"
        }
    }

    private typealias Content = [String: [Int64: [String: PlainValue]]]

    private static func compare(
        _ before: Content, _ after: Content, _ changes: RecordedSaves.Changes, _ storeColumns: Set<String>
    ) {
        var problems: [String] = []
        for (table, rows) in before
        where rows.values.first?["Z_OPT"] != nil || after[table]?.values.first?["Z_OPT"] != nil {
            if ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table) { continue }
            for (key, old) in rows {
                let row = RecordedSaves.Key(table: table, key: key)
                guard let new = after[table]?[key] else {
                    if !changes.deleted.contains(row) { problems.append("\(table) \(key) has gone") }
                    continue
                }
                if changes.deleted.contains(row) { problems.append("\(table) \(key) is still there") }
                let updates = changes.updates[row] ?? 0
                if let version = old["Z_OPT"]?.integer, new["Z_OPT"]?.integer != version + updates {
                    problems.append(
                        "\(table) \(key): version \(version), \(updates) saves, now \(new["Z_OPT"] ?? .null)")
                }
                if updates > 0 { continue }
                for (column, value) in old where new[column] != value && !storeColumns.contains("\(table).\(column)") {
                    problems.append("\(table) \(key) \(column): \(value), now \(new[column] ?? .null)")
                }
            }
            for (key, new) in after[table] ?? [:] where rows[key] == nil {
                let row = RecordedSaves.Key(table: table, key: key)
                if !changes.inserted.contains(row) { problems.append("\(table) \(key) is new") }
                if new["Z_OPT"]?.integer != 1 + (changes.updates[row] ?? 0) {
                    problems.append("\(table) \(key): inserted, now version \(new["Z_OPT"] ?? .null)")
                }
            }
        }
        for table in ["Z_METADATA", "Z_MODELCACHE"] where before[table] != after[table] {
            problems.append("\(table) has changed")
        }
        #expect(problems.prefix(10) == [])
    }
}
