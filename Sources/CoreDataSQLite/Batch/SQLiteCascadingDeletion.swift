@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

/// Deletes rows with what delete rules take along, a set of keys at a time.
struct SQLiteCascadingDeletion {
    let environment: SQLiteBatchEnvironment
    let database: Database
    var history: SQLiteHistoryRecorder?
    /// The files that deleted values were in.
    private(set) var obsoleteFiles: [URL] = []
    /// The keys that go, by the index of the root entity.
    private var doomed: [Int: Set<Int64>] = [:]
    private var plans: [Int32: SQLiteRowPlan] = [:]

    init(environment: SQLiteBatchEnvironment, database: Database, history: SQLiteHistoryRecorder?) {
        self.environment = environment
        self.database = database
        self.history = history
    }

    private var schema: SQLiteSchema { environment.schema }
    private var queries: SQLiteQueries { environment.queries }

    mutating func run(_ keys: [ObjectKey]) throws {
        let all = try withCascades(keys)
        let groups = Dictionary(grouping: all, by: \.entityIndex).sorted { $0.key < $1.key }
            .map { (index: $0.key, handles: $0.value.map(\.handle)) }
        for group in groups { try checkDenials(group.index, group.handles) }
        for group in groups { try recordDeletes(group.index, group.handles) }
        for group in groups { try cutRelationships(group.index, group.handles) }
        for group in groups { try deleteRows(group.index, group.handles) }
        try history?.finish()
    }

    private mutating func plan(_ index: Int32) throws -> SQLiteRowPlan {
        if let plan = plans[index] { return plan }
        let plan = SQLiteRowPlan(try schema.entity(schema.model.entities[Int(index)]))
        plans[index] = plan
        return plan
    }

    private func layout(_ index: Int32) -> EntityLayout { schema.model.entities[Int(index)] }

    private func isDoomed(_ key: ObjectKey) -> Bool {
        doomed[layout(key.entityIndex).rootIndex]?.contains(key.handle) ?? false
    }

    // MARK: What goes along

    private mutating func withCascades(_ keys: [ObjectKey]) throws -> [ObjectKey] {
        var all: [ObjectKey] = []
        var frontier = keys
        while !frontier.isEmpty {
            let new = frontier.filter { key in
                doomed[layout(key.entityIndex).rootIndex, default: []].insert(key.handle).inserted
            }
            all += new
            frontier = []
            for (index, group) in Dictionary(grouping: new, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
                for property in layout(index).relationships
                where property.deleteRule == .cascadeDeleteRule && property.isPersistent {
                    frontier += try destinations(of: property, group.map(\.handle))
                }
            }
        }
        return all
    }

    private func destinations(of property: PropertyLayout, _ handles: [Int64]) throws -> [ObjectKey] {
        if property.kind == .toMany {
            let owners = handles.map { ObjectKey(handle: $0, entityIndex: property.owner.index) }
            return try queries.loadDestinations(of: property, from: owners, in: database)
                .sorted { $0.key < $1.key }.flatMap(\.value)
        }
        guard let destination = property.destination,
            let column = try schema.entity(property.owner).column(of: property)?.name
        else { return [] }
        let source = SQLFragment.name(try schema.entity(property.owner).table)
        let table = try schema.entity(destination).table
        var reader = KeyReader(schema: schema, table: table, entity: destination)
        var keys: [ObjectKey] = []
        try forChunks(of: handles) { list in
            let statement = SQLStatement(
                """
                SELECT \(.key), \(.entity) FROM \(.name(table)) WHERE \(.key) IN \
                (SELECT \(.name(column)) FROM \(source) WHERE \(.key) IN (\(list)))
                """)
            try queries.run(statement, in: database).forEachRow { keys.append(try reader.key(of: $0, at: 0)) }
        }
        return keys
    }

    private func checkDenials(_ index: Int32, _ handles: [Int64]) throws {
        for property in layout(index).relationships
        where property.deleteRule == .denyDeleteRule && property.isPersistent {
            guard let left = try destinations(of: property, handles).first(where: { !isDoomed($0) }) else { continue }
            throw SQLiteStoreError.error(
                .deniedDelete,
                "a batch delete of \(layout(index).name) is denied: its relationship '\(property.name)' has the delete rule "
                    + "deny and leads to \(layout(left.entityIndex).name) p\(left.handle), which stays")
        }
    }

    // MARK: Writing

    private mutating func recordDeletes(_ index: Int32, _ handles: [Int64]) throws {
        guard history != nil else { return }
        for handle in handles {
            try history?.recordDelete(RowChange(key: ObjectKey(handle: handle, entityIndex: index)))
        }
    }

    /// Empties what refers to the rows: join rows, keys of one-way relationships, and inverses.
    private mutating func cutRelationships(_ index: Int32, _ handles: [Int64]) throws {
        let plan = try plan(index)
        try forChunks(of: handles) { list in
            for join in plan.joins {
                try run("DELETE FROM \(.name(join.table)) WHERE \(.name(join.sourceColumn)) IN (\(list))")
                if join.isReflexive {
                    try run("DELETE FROM \(.name(join.table)) WHERE \(.name(join.destinationColumn)) IN (\(list))")
                }
            }
            for key in plan.oneWays {
                let order: SQLFragment = key.orderColumn.map { ", \(.name($0)) = NULL" } ?? ""
                try run(
                    "UPDATE \(.name(key.table)) SET \(.name(key.column)) = NULL\(order) WHERE \(.name(key.column)) IN (\(list))"
                )
            }
        }
        for property in layout(index).relationships where property.isPersistent {
            guard let inverse = property.inverse, inverse.kind == .toOne, property.deleteRule != .noActionDeleteRule
            else { continue }
            try nullify(inverse, leadingTo: handles)
        }
    }

    /// Empties a to-one of the rows that stay and lead to these.
    private mutating func nullify(_ inverse: PropertyLayout, leadingTo handles: [Int64]) throws {
        let holder = try schema.entity(inverse.owner)
        guard let column = holder.column(of: inverse)?.name else { return }
        let table = SQLFragment.name(holder.table)
        var reader = KeyReader(schema: schema, table: holder.table, entity: inverse.owner)
        var changed: [ObjectKey] = []
        try forChunks(of: handles) { list in
            let statement = SQLStatement("SELECT \(.key), \(.entity) FROM \(table) WHERE \(.name(column)) IN (\(list))")
            try queries.run(statement, in: database).forEachRow { row in
                let key = try reader.key(of: row, at: 0)
                if !isDoomed(key) { changed.append(key) }
            }
        }
        guard !changed.isEmpty else { return }
        guard inverse.isOptional else {
            throw SQLiteStoreError.error(
                .constraintValidation,
                "Constraint trigger violation: Batch delete failed due to mandatory OTO nullify inverse on "
                    + "\(inverse.owner.name)/\(inverse.name)")
        }
        var columns = [column]
        if let entityColumn = holder.entityColumn(of: inverse)?.name { columns.append(entityColumn) }
        if inverse.inverse?.isOrdered ?? false { columns.append(SQLiteNaming.orderColumn(beside: column)) }
        let list = columns.map { "\(.name($0)) = NULL" as SQLFragment }.joined(separator: ", ")
        try forChunks(of: changed.map(\.handle)) { keys in
            try run("UPDATE \(table) SET \(list), \(.version) = \(.version) + 1 WHERE \(.key) IN (\(keys))")
        }
        try schema.untriggeredValues.write(after: changed, schema: schema, in: database)
        for key in changed {
            var row = RowChange(key: key)
            row.changedSlots = [inverse.rowSlot]
            try history?.recordUpdate(row)
        }
    }

    private mutating func deleteRows(_ index: Int32, _ handles: [Int64]) throws {
        let plan = try plan(index)
        let table = SQLFragment.name(plan.entity.table)
        let external = plan.bindings.filter(\.isExternal)
        var files: [URL] = []
        try forChunks(of: handles) { list in
            if !external.isEmpty {
                let columns = external.map { SQLFragment.name($0.column) }.joined(separator: ", ")
                try queries.run(
                    SQLStatement("SELECT \(columns) FROM \(table) WHERE \(.key) IN (\(list))"), in: database
                )
                .forEachRow { files += environment.external.files(named: external.count, in: $0) }
            }
            try run("DELETE FROM \(table) WHERE \(.key) IN (\(list))")
        }
        obsoleteFiles += files
    }

    // MARK: Statements

    private func run(_ fragment: SQLFragment) throws {
        try queries.run(SQLStatement(fragment), in: database).forEachRow { _ in }
    }

    private func forChunks(of handles: [Int64], _ body: (SQLFragment) throws -> Void) throws {
        for start in stride(from: 0, to: handles.count, by: SQLiteQueries.keysPerStatement) {
            let end = min(start + SQLiteQueries.keysPerStatement, handles.count)
            try body(SQLValueList.select(handles[start..<end]))
        }
    }
}
