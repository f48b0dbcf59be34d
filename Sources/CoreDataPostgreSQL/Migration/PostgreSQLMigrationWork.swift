@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// The statements of a lightweight migration, in their order, inside its transaction.
///
/// Rows stay in their tables: an attribute that is added, renamed or removed costs as much with ten million rows as with ten. What
/// is computed is computed while all old columns are there; then columns and tables get their new names.
struct PostgreSQLMigrationWork {
    private let connection: PostgreSQLConnection
    private let map: PostgreSQLMigrationMap
    private let progress: (Double) -> Void
    private let tables: [PostgreSQLTableMigration]
    private let joins: [PostgreSQLJoinMigration]
    /// The table in which the rows of each new table are, by the place of that; nil for those without.
    private var places: [String?] = []
    /// The names that tables and columns have until the old ones are free.
    private var renamings: [(from: String, to: String)] = []
    private var keptJoins: [String: PostgreSQLJoinMigration] = [:]

    init(_ connection: PostgreSQLConnection, map: PostgreSQLMigrationMap, progress: @escaping (Double) -> Void) throws {
        self.connection = connection
        self.map = map
        self.progress = progress
        tables = try map.new.tables.map { try PostgreSQLTableMigration($0, map: map) }
        joins = map.new.joins.map { PostgreSQLJoinMigration($0, map: map) }
    }

    private var old: PostgreSQLSchema { map.old }
    private var new: PostgreSQLSchema { map.new }

    mutating func run() throws {
        try requireConcreteEntities()
        keepJoins()
        let kept = keptParts()
        for part in old.parts where !kept.contains(part) { try script(part.removal(in: old)) }
        try takePlaces()
        progress(0.1)
        try computeColumns()
        progress(0.5)
        try copyPairs()
        try removeRows()
        // What was written waits for no check any more: tables with such rows can't be altered.
        try script("SET CONSTRAINTS ALL IMMEDIATE")
        try dropTables()
        for (table, place) in zip(tables, places) { if let place { try exchangeColumns(of: table, in: place) } }
        try renameTables()
        try makeTables()
        try fillOrders()
        // What a value depends on may have gone.
        try PostgreSQLDerivedValues(new, connection)?.computeAll()
        progress(0.7)
        for table in new.tables { for comment in new.comments(table) { try script(comment) } }
        for part in new.parts where !kept.contains(part) { try make(part) }
        try script("DELETE FROM \(new.qualified(PostgreSQLName.entities))")
        for statement in new.entityRows { try script(statement) }
        progress(0.95)
    }

    private func script(_ script: SQLFragment) throws { try connection.executeScript(script) }

    /// Objects of an entity that has become abstract would be of no entity.
    private func requireConcreteEntities() throws {
        for case let entity? in old.entities where !entity.layout.entity.isAbstract {
            guard let next = map.destination(of: entity), next.layout.entity.isAbstract else { continue }
            let result = try connection.execute(
                "SELECT COUNT(*) FROM \(old.qualified(entity.table)) WHERE \"_entity\" = \(.number(entity.number))")
            guard result.int8(0, 0) > 0 else { continue }
            throw MigrationError.make(
                "The objects of '\(entity.layout.name)' can't be migrated: '\(next.layout.name)' is abstract in the new model, "
                    + "and the store has \(result.int8(0, 0)) of them. Delete them with the old model first, or make a mapping "
                    + "model that gives them another entity.", ["entity": entity.layout.name])
        }
    }

    // MARK: What stays

    private mutating func keepJoins() {
        for join in joins {
            if let former = join.former, keptJoins[former.table] == nil { keptJoins[former.table] = join }
        }
    }

    /// The keys and indexes that stay: on columns that stay, of tables that keep their names and, for foreign keys, their rows.
    private func keptParts() -> Set<PostgreSQLSchemaPart> {
        var steady: [String: PostgreSQLTableMigration] = [:]
        let formers = tables.compactMap(\.former)
        for table in tables where table.former == table.table.name && formers.count(where: { $0 == table.former }) == 1
        {
            steady[table.table.name] = table
        }
        let wanted = Set(new.parts)
        return Set(
            old.parts.filter { part in
                guard wanted.contains(part) else { return false }
                if let join = keptJoins[part.table] { return staysAsItIs(join) && leads(part, to: steady) }
                guard let table = steady[part.table] else { return false }
                let stay = part.columns.allSatisfy { name in
                    table.columns.contains { $0.name == name && $0.former == name }
                }
                guard case .reference = part.kind else { return stay }
                return stay && !table.changesRows && leads(part, to: steady)
            })
    }

    /// Whether what a foreign key leads to stays; of anything else, yes.
    private func leads(_ part: PostgreSQLSchemaPart, to steady: [String: PostgreSQLTableMigration]) -> Bool {
        guard case .reference(let other) = part.kind else { return true }
        return steady[other].map { !$0.changesRows } ?? false
    }

    private func staysAsItIs(_ migration: PostgreSQLJoinMigration) -> Bool {
        guard let former = migration.former else { return false }
        let join = migration.join
        return former.table == join.table && former.source == join.sourceColumn
            && former.destination == join.destinationColumn
    }

    // MARK: Rows

    private func temporaryName(_ number: Int) -> String { "_migrating_\(number)" }

    /// A table whose rows become those of several is copied for all but the first of these.
    private mutating func takePlaces() throws {
        var taken: Set<String> = []
        for (number, table) in tables.enumerated() {
            guard let former = table.former else {
                places.append(nil)
                continue
            }
            if taken.insert(former).inserted {
                places.append(former)
                continue
            }
            let name = temporaryName(number)
            let (copy, source) = (new.qualified(name), old.qualified(former))
            let numbers = (table.numbers ?? []).map(Int64.init)
            let condition: SQLFragment = numbers.isEmpty ? "" : " WHERE \"_entity\" IN (\(.numbers(numbers)))"
            try script("CREATE TABLE \(copy) (LIKE \(source) INCLUDING DEFAULTS)")
            try script("INSERT INTO \(copy) SELECT * FROM \(source)\(condition)")
            try script("ALTER TABLE \(copy) ADD PRIMARY KEY (\"_id\")")
            places.append(name)
        }
    }

    private func addedName(_ number: Int) -> String { "_added_\(number)" }

    /// Adds columns, and computes them from the old ones, all of which are still there.
    private func computeColumns() throws {
        for (table, place) in zip(tables, places) {
            guard let place, !table.added.isEmpty else { continue }
            let columns = table.added.enumerated().map { number, column in
                "ADD COLUMN \(.quoted(addedName(number))) \(column.type.name)" as SQLFragment
            }
            try script("ALTER TABLE \(new.qualified(place)) \(columns.joined(separator: ", "))")
        }
        for (table, place) in zip(tables, places) {
            guard let place else { continue }
            let assignments = table.added.enumerated().filter { !$0.element.source.isNull }.map { number, column in
                "\(.quoted(addedName(number))) = \(column.source.sql)" as SQLFragment
            }
            guard !assignments.isEmpty else { continue }
            try connection.execute("UPDATE \(new.dialect.table(place)) o SET \(assignments.joined(separator: ", "))")
        }
    }

    private mutating func copyPairs() throws {
        let kept = Set(keptJoins.values.map(\.join.table))
        for (number, join) in joins.enumerated() where !kept.contains(join.join.table) {
            let name = temporaryName(tables.count + number)
            try script(new.joinDefinition(join.join, named: name))
            for statement in join.copyStatements(into: new.dialect.table(name)) { try connection.execute(statement) }
            renamings.append((name, join.join.table))
        }
    }

    private func removeRows() throws {
        for (table, place) in zip(tables, places) {
            guard let place, place == table.former, let numbers = table.numbers else { continue }
            let list = SQLFragment.numbers(numbers.map(Int64.init))
            try script("DELETE FROM \(new.qualified(place)) WHERE \"_entity\" NOT IN (\(list))")
        }
    }

    private func dropTables() throws {
        let used = Set(places.compactMap { $0 }).union(keptJoins.keys)
        let gone = (old.tables.map(\.name) + old.joins.map(\.table)).filter { !used.contains($0) }
        guard !gone.isEmpty else { return }
        try script("DROP TABLE \(gone.map(old.qualified).joined(separator: ", "))")
    }

    // MARK: Names

    private func exchangeColumns(of table: PostgreSQLTableMigration, in place: String) throws {
        guard let former = table.former, let present = old.tables.first(where: { $0.name == former }) else { return }
        let names =
            present.columns.flatMap { [$0.name, $0.entityColumn].compactMap { $0 } } + present.linkColumns.map(\.name)
        let kept = Set(table.columns.compactMap(\.former))
        let gone = names.filter { !kept.contains($0) }
        if !gone.isEmpty {
            let list = gone.map { "DROP COLUMN \(.quoted($0))" as SQLFragment }.joined(separator: ", ")
            try script("ALTER TABLE \(new.qualified(place)) \(list)")
        }
        var renamings = table.columns.filter { $0.former != $0.name }.compactMap { column in
            column.former.map { (from: $0, to: column.name) }
        }
        renamings += table.added.enumerated().map { (addedName($0), $1.name) }
        try rename(renamings) { from, to in
            "ALTER TABLE \(new.qualified(place)) RENAME COLUMN \(.quoted(from)) TO \(.quoted(to))"
        }
    }

    /// Names may be exchanged, so everything has another one in between.
    private func rename(_ renamings: [(from: String, to: String)], _ statement: (String, String) -> SQLFragment) throws
    {
        for (number, renaming) in renamings.enumerated() { try script(statement(renaming.from, "_renamed_\(number)")) }
        for (number, renaming) in renamings.enumerated() { try script(statement("_renamed_\(number)", renaming.to)) }
    }

    private mutating func renameTables() throws {
        for (table, place) in zip(tables, places) {
            if let place, place != table.table.name { renamings.append((place, table.table.name)) }
        }
        for (former, join) in keptJoins { try renameColumns(of: join, in: former) }
        for (former, join) in keptJoins where former != join.join.table { renamings.append((former, join.join.table)) }
        try rename(renamings) { from, to in "ALTER TABLE \(new.qualified(from)) RENAME TO \(.quoted(to))" }
    }

    private func renameColumns(of migration: PostgreSQLJoinMigration, in table: String) throws {
        guard let links = migration.former else { return }
        let join = migration.join
        let inverseOrder = join.isReflexive ? nil : join.inverseOrderColumn
        var renamings: [(from: String, to: String)] = [
            (links.source, join.sourceColumn), (links.destination, join.destinationColumn),
        ]
        for case (let present, let wanted) in [(links.order, join.orderColumn), (links.inverseOrder, inverseOrder)] {
            switch (present, wanted) {
            case (let present?, let wanted?): renamings.append((present, wanted))
            case (let present?, nil): try script("ALTER TABLE \(new.qualified(table)) DROP COLUMN \(.quoted(present))")
            case (nil, let wanted?):
                let name = "_new" + String(renamings.count)
                try script("ALTER TABLE \(new.qualified(table)) ADD COLUMN \(.quoted(name)) bigint")
                renamings.append((name, wanted))
            case (nil, nil): break
            }
        }
        try rename(renamings.filter { $0.from != $0.to }) { from, to in
            "ALTER TABLE \(new.qualified(table)) RENAME COLUMN \(.quoted(from)) TO \(.quoted(to))"
        }
    }

    private func makeTables() throws {
        for (table, place) in zip(tables, places) where place == nil { try script(new.tableDefinition(table.table)) }
    }

    // MARK: Orders

    /// Gives a place to what has an owner and none, and takes it from what has no owner any more.
    private func fillOrders() throws {
        for join in new.joins {
            if let order = join.orderColumn {
                try fill(order, of: join.table, owner: join.sourceColumn, key: join.destinationColumn)
            }
            if !join.isReflexive, let order = join.inverseOrderColumn {
                try fill(order, of: join.table, owner: join.destinationColumn, key: join.sourceColumn)
            }
        }
        var done: Set<String> = []
        for entity in new.entities.compactMap({ $0 }) {
            for case .foreignKey(let key) in entity.toManys.values {
                guard let order = key.orderColumn, done.insert("\(key.table).\(order)").inserted else { continue }
                try fill(order, of: key.table, owner: key.column, key: PostgreSQLName.key)
            }
        }
    }

    private func fill(_ order: String, of table: String, owner: String, key: String) throws {
        let (table, order) = (new.qualified(table), SQLFragment.quoted(order))
        let (owner, key) = (SQLFragment.quoted(owner), SQLFragment.quoted(key))
        try script("UPDATE \(table) SET \(order) = NULL WHERE \(owner) IS NULL AND \(order) IS NOT NULL")
        try script(
            """
            UPDATE \(table) t SET \(order) = \
            COALESCE((SELECT MAX(o.\(order)) FROM \(table) o WHERE o.\(owner) = t.\(owner)), \(.number(OrderKeys.first - OrderKeys.step))) \
            + \(.number(OrderKeys.step)) * n.place FROM (SELECT p.\(owner) AS owner, p.\(key) AS key, \
            row_number() OVER (PARTITION BY p.\(owner) ORDER BY p.\(key)) AS place FROM \(table) p \
            WHERE p.\(owner) IS NOT NULL AND p.\(order) IS NULL) n WHERE t.\(owner) = n.owner AND t.\(key) = n.key
            """)
    }

    // MARK: Keys and indexes

    /// - Throws: `NSMigrationConstraintViolationError` where values occur more than once that have to be unique now.
    private func make(_ part: PostgreSQLSchemaPart) throws {
        do {
            try script(part.sql)
        } catch let failure as PostgreSQLFailure where part.kind == .unique && failure.isUniqueViolation {
            let constraint = new.entities.compactMap { $0 }.flatMap(\.constraints).first { $0.name == part.name }
            let entity = new.entities.compactMap { $0 }.first { $0.constraints.contains { $0.name == part.name } }
            let properties = (constraint?.properties ?? part.columns).joined(separator: ", ")
            let name = entity?.layout.name ?? part.table
            throw MigrationError.make(
                "The objects of '\(name)' can't be migrated: the new model makes \(properties) unique, and values occur more "
                    + "than once: \(failure.detail ?? failure.message). Make them unique with the old model first.",
                code: NSMigrationConstraintViolationError, ["entity": name, "property": properties])
        }
    }
}
