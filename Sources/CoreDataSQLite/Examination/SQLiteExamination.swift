@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import ManagedObjectModel

/// Looks for what is wrong in a file, and how it can be mended.
struct SQLiteExamination {
    /// A finding with the statements that mend it; files are moved instead.
    struct Problem {
        var finding: StoreFinding
        var repairs: [SQLFragment] = []
        var file: URL?

        /// The same without its repairs.
        var unmended: Problem {
            Problem(finding: StoreFinding(finding.kind, finding.subject, finding.message, isRepairable: false))
        }
    }

    let database: Database
    let schema: SQLiteSchema
    let url: URL

    func problems() throws -> [Problem] {
        let differences = try SQLiteVersionComparison(database: database, model: schema.model.model).problems()
        let found =
            try damage() + keyCounters() + references() + oneWayReferences() + pairs() + files() + differences
            + indexes()
        // What another model holds for damage may be what the store's own one wants.
        return differences.isEmpty ? found : found.map(\.unmended)
    }

    private func problem(
        _ kind: StoreFinding.Kind, _ subject: String, _ message: String, repairs: [SQLFragment] = [],
        file: URL? = nil
    ) -> Problem {
        let isRepairable = !repairs.isEmpty || file != nil
        return Problem(
            finding: StoreFinding(kind, subject, message, isRepairable: isRepairable), repairs: repairs, file: file)
    }

    private func count(_ rows: SQLFragment) throws -> Int {
        try database.value(Int.self, "SELECT COUNT(*) \(rows)") ?? 0
    }

    private func damage() throws -> [Problem] {
        try database.values(String.self, "PRAGMA integrity_check(20)").filter { $0 != "ok" }.map {
            problem(.integrity, url.lastPathComponent, "SQLite says: \($0)")
        }
    }

    private func keyCounters() throws -> [Problem] {
        try schema.tables.compactMap { table in
            guard let root = schema.entities[table.rootIndex] else { return nil }
            let highest =
                try database.value(Int64.self, "SELECT IFNULL(MAX(\(.key)), 0) FROM \(.name(table.name))") ?? 0
            let given =
                try database.value(
                    Int64.self,
                    "SELECT IFNULL(\(.highestKey), 0) FROM \(.entityTable) WHERE \(.entity) = \(bind: .int(root.number))"
                )
                ?? 0
            guard given < highest else { return nil }
            return problem(
                .keyCounter, root.name, "the highest key is \(highest), but the last one given out is \(given)",
                repairs: [
                    "UPDATE \(.entityTable) SET \(.highestKey) = \(bind: .int(highest)) WHERE \(.entity) = \(bind: .int(root.number))"
                ])
        }
    }

    // MARK: References

    /// The numbers of an entity and those below it, where rows of others lie in the same table.
    private func kinds(_ layout: EntityLayout) -> [Int64]? {
        guard layout.root.lastDescendantIndex > layout.rootIndex else { return nil }
        return (layout.index...layout.lastDescendantIndex).compactMap { schema.entities[$0]?.number }
    }

    /// A row whose own number of an entity is damaged is there: what leads to it is to stay for when the number is mended.
    private func isThere(_ key: SQLFragment, _ layout: EntityLayout, _ table: SQLFragment) -> SQLFragment {
        let others = Set(kinds(layout.root) ?? []).subtracting(kinds(layout) ?? [])
        let kind: SQLFragment = others.isEmpty ? "" : " AND (d.\(.entity) IN (\(.numbers(Array(others))))) IS NOT TRUE"
        return "EXISTS (SELECT 1 FROM \(table) AS d WHERE d.\(.key) = \(key)\(kind))"
    }

    private func references() throws -> [Problem] {
        var problems: [Problem] = []
        for case let entity? in schema.entities {
            if entity.layout.superlayout == nil, let kinds = kinds(entity.layout) {
                let strays = try count(
                    "FROM \(.name(entity.table)) WHERE \(.entity) NOT IN (\(.numbers(kinds))) OR \(.entity) IS NULL")
                if strays > 0 {
                    problems.append(
                        problem(.wrongEntity, entity.name, "\(strays) row(s) have the number of no entity of the table")
                    )
                }
            }
            for property in entity.layout.ownProperties where property.kind == .toOne {
                problems += try reference(property, of: entity)
            }
        }
        return problems
    }

    private func reference(_ property: PropertyLayout, of entity: SQLiteEntity) throws -> [Problem] {
        guard let column = entity.column(of: property).map({ SQLFragment.name($0.name) }),
            let destination = property.destination, let far = schema.entities[destination.index]
        else { return [] }
        let subject = "\(entity.name).\(property.name)"
        let (table, farTable) = (SQLFragment.name(entity.table), SQLFragment.name(far.table))
        let entityColumn = entity.entityColumn(of: property).map { SQLFragment.name($0.name) }
        var problems: [Problem] = []
        let key: SQLFragment = "\(table).\(column)"
        let dangling: SQLFragment = "\(key) NOT NULL AND NOT \(isThere(key, destination, farTable))"
        let missing = try count("FROM \(table) WHERE \(dangling)")
        if missing > 0 {
            let empty = ([column] + [entityColumn].compactMap { $0 }).map { "\($0) = NULL" as SQLFragment }
                .joined(separator: ", ")
            problems.append(
                problem(
                    .danglingReference, subject, "\(missing) object(s) refer to one that isn't there",
                    repairs: ["UPDATE \(table) SET \(empty) WHERE \(dangling)"]))
        }
        if let entityColumn {
            let actual: SQLFragment = "(SELECT d.\(.entity) FROM \(farTable) AS d WHERE d.\(.key) = \(key))"
            let known = SQLFragment.numbers(kinds(destination.root) ?? [])
            let wrong: SQLFragment =
                "\(column) NOT NULL AND \(actual) IN (\(known)) AND \(entityColumn) IS NOT \(actual)"
            let number = try count("FROM \(table) WHERE \(wrong)")
            if number > 0 {
                problems.append(
                    problem(
                        .wrongEntity, subject, "\(number) reference(s) name another entity than the object's",
                        repairs: ["UPDATE \(table) SET \(entityColumn) = \(actual) WHERE \(wrong)"]))
            }
        }
        return try problems + oneSided(property, of: entity, column, far, subject)
    }

    /// Both ends of a one-to-one have to name each other.
    private func oneSided(
        _ property: PropertyLayout, of entity: SQLiteEntity, _ column: SQLFragment, _ far: SQLiteEntity,
        _ subject: String
    ) throws -> [Problem] {
        guard let inverse = property.inverse, inverse.kind == .toOne,
            let back = far.column(of: inverse).map({ SQLFragment.name($0.name) })
        else { return [] }
        let (table, farTable) = (SQLFragment.name(entity.table), SQLFragment.name(far.table))
        let answer: SQLFragment = "(SELECT d.\(back) FROM \(farTable) AS d WHERE d.\(.key) = \(table).\(column))"
        let isThere: SQLFragment = "EXISTS (SELECT 1 FROM \(farTable) AS d WHERE d.\(.key) = \(table).\(column))"
        let number = try count("FROM \(table) WHERE \(column) NOT NULL AND \(isThere) AND \(answer) IS NOT \(.key)")
        guard number > 0 else { return [] }
        let owner: SQLFragment = "(SELECT MIN(s.\(.key)) FROM \(table) AS s WHERE s.\(column) = \(farTable).\(.key))"
        // Repaired only where the other end is empty: if it holds another key, there is no telling which of the two is
        // right.
        var assignments: SQLFragment = "\(back) = \(owner)"
        if let entityColumn = far.entityColumn(of: inverse)?.name {
            assignments +=
                ", \(.name(entityColumn)) = (SELECT s.\(.entity) FROM \(table) AS s WHERE s.\(.key) = \(owner))"
        }
        return [
            problem(
                .oneSidedReference, subject, "\(number) object(s) refer to one whose \(inverse.name) is not them",
                repairs: ["UPDATE \(farTable) SET \(assignments) WHERE \(back) IS NULL AND \(owner) NOT NULL"])
        ]
    }

    /// To-many relationships without an inverse are columns of the destination's table.
    private func oneWayReferences() throws -> [Problem] {
        var problems: [Problem] = []
        for case let entity? in schema.entities {
            for property in entity.layout.ownProperties {
                guard case .foreignKey(let key)? = entity.toMany(property), key.isOneWay else { continue }
                let table = SQLFragment.name(key.table)
                let column: SQLFragment = "\(table).\(.name(key.column))"
                let dangling: SQLFragment =
                    "\(column) NOT NULL AND NOT \(isThere(column, entity.layout, .name(entity.table)))"
                let number = try count("FROM \(table) WHERE \(dangling)")
                guard number > 0 else { continue }
                let empty = [key.column, key.entityColumn, key.orderColumn].compactMap { $0 }
                    .map { "\(.name($0)) = NULL" as SQLFragment }.joined(separator: ", ")
                problems.append(
                    problem(
                        .danglingReference, "\(entity.name).\(property.name)",
                        "\(number) object(s) belong to one that isn't there",
                        repairs: ["UPDATE \(table) SET \(empty) WHERE \(dangling)"]))
            }
        }
        return problems
    }

    private func pairs() throws -> [Problem] {
        var problems: [Problem] = []
        for case let entity? in schema.entities {
            for property in entity.layout.ownProperties {
                guard case .join(let join)? = entity.toMany(property), let destination = property.destination,
                    let far = schema.entities[destination.index]
                else { continue }
                let table = SQLFragment.name(join.table)
                let key: SQLFragment = "\(table).\(.name(join.destinationColumn))"
                let source: SQLFragment = "\(table).\(.name(join.sourceColumn))"
                // The other side tells of its own; without an inverse there is none.
                let sides =
                    [isThere(key, destination, .name(far.table))]
                    + (property.inverse == nil ? [isThere(source, entity.layout, .name(entity.table))] : [])
                let dangling = sides.map { "NOT \($0)" as SQLFragment }.joined(separator: " OR ")
                let number = try count("FROM \(table) WHERE \(dangling)")
                guard number > 0 else { continue }
                problems.append(
                    problem(
                        .danglingReference, "\(entity.name).\(property.name)",
                        "\(number) pair(s) lead to an object that isn't there",
                        repairs: ["DELETE FROM \(table) WHERE \(dangling)"]))
            }
        }
        return problems
    }

    // MARK: Files

    private func files() throws -> [Problem] {
        guard let folder = SQLiteExternalData(store: url).folder,
            // A store without a folder of files has none that could be unnamed.
            let present = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        let named = try SQLiteExternalData(store: url).namedFiles(schema, database)
        let missing = named.subtracting(present).sorted()
        return try missing.map { problem(.missingFile, $0, "a row names this file, which is gone") }
            + orphans(SQLiteExternalData(store: url).fileNames().subtracting(named), in: folder)
    }

    /// The files that no row of the model's names. Only those are moved away that nothing else can be in want of.
    private func orphans(_ names: Set<String>, in folder: URL) throws -> [Problem] {
        if names.isEmpty { return [] }
        let isShared = SQLiteExternalData(store: url).isShared
        let mentions: [String: String]?
        do {
            mentions = try SQLiteFileMentions(candidates: names, database: database).find()
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            mentions = nil
        }
        return names.sorted().map { name in
            let unnamed = "no row of the model's entities names this file"
            if isShared {
                return problem(
                    .orphanFile, name, "\(unnamed), but another database beside the store has the same folder: it stays"
                )
            }
            guard let mentions else {
                return problem(
                    .orphanFile, name,
                    "\(unnamed), but the database has tables that may, and can't be looked at: it stays")
            }
            if let table = mentions[name] {
                return problem(.orphanFile, name, "\(unnamed), but the table \(table) does: it stays")
            }
            return problem(
                .orphanFile, name, "no row of any table names this file", file: folder.appendingPathComponent(name))
        }
    }

    // MARK: Model

    private func indexes() throws -> [Problem] {
        let present = Set(try SQLiteSchemaReference.entries(of: database).map(\.name))
        let unique = try SQLiteUniqueIndex.all(of: schema).filter { !present.contains($0.name) }
        let repeated = try unique.map { ($0, try $0.duplicates(in: database)) }.filter { $1 > 0 }
        let duplicates = repeated.map { index, number in
            problem(
                .duplicate, "\(index.entity).\(index.properties.joined(separator: ", "))",
                "\(number) value(s) that the model makes unique occur more than once")
        }
        let impossible = Set(repeated.map(\.0.name))
        let missing = try SQLiteSchemaReference(schema, historyTracking: false).entries.filter {
            ["index", "trigger"].contains($0.type) && $0.sql != nil && !present.contains($0.name)
        }
        return duplicates
            + missing.map { entry in
                problem(
                    .missingIndex, entry.name, "the \(entry.type) is missing on \(entry.table)",
                    repairs: impossible.contains(entry.name) ? [] : entry.sql.map { [.definition($0)] } ?? [])
            }
    }
}
