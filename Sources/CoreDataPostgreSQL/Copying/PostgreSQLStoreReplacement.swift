@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Replaces a store by a copy of another one, of any server: model, contents, metadata, UUID, history. One transaction, in which
/// rows go over by COPY, without being held in memory.
struct PostgreSQLStoreReplacement {
    let source: PostgreSQLConnection
    let sourceTable: PostgreSQLStoreTable
    let destination: PostgreSQLConnection
    let destinationTable: PostgreSQLStoreTable

    /// In a transaction of the source that sees one state of it, and one of the destination.
    ///
    /// - Throws: an error where there is no store to copy.
    func run() throws {
        guard let metadata = try sourceTable.read(source), let model = try sourceTable.model(source) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "There is no store to copy at \(sourceTable.address.description).")
        }
        let numbers = try sourceTable.entityNumbers(source)
        let layout = ModelLayout.of(model)
        // A store of a configuration has numbers for its entities alone.
        let configuration = model.configuration(nil, ofStoreWith: metadata)
        let builder = try PostgreSQLSchemaBuilder(layout, configuration: configuration, numbers: numbers)
        let old = PostgreSQLSchema(builder, namespace: sourceTable.address.schema)
        let new = PostgreSQLSchema(builder, namespace: destinationTable.address.schema)
        let history = try source.ask([PostgreSQLHistoryTables(old).exist]) == ["true"]
        try destinationTable.lock(destination)
        let former = try destinationTable.forget(destination)
        try destinationTable.make(new, metadata, isCopied: true, in: destination)
        try copyRows(from: old, to: new, history)
        // Over rows that are there, keys and indexes are made faster.
        for part in new.parts { try destination.executeScript(part.sql) }
        try copyKeys(from: old, to: new)
        try destinationTable.finish(
            version: former.version + 1, madeSchema: former.madeSchema, hasHistory: history, new, in: destination)
        try destination.checkConstraints()
    }

    private func copyRows(from old: PostgreSQLSchema, to new: PostgreSQLSchema, _ hasHistory: Bool) throws {
        for table in new.tables {
            let columns =
                [PostgreSQLName.key, PostgreSQLName.entity, PostgreSQLName.version]
                + table.columns.flatMap { [$0.name, $0.entityColumn].compactMap { $0 } }
                + table.linkColumns.map(\.name)
            try copy(table.name, columns, old, new)
        }
        for join in new.joins {
            let orders = [join.orderColumn, join.isReflexive ? nil : join.inverseOrderColumn].compactMap { $0 }
            try copy(join.table, [join.sourceColumn, join.destinationColumn] + orders, old, new)
        }
        guard hasHistory else { return }
        let tables = PostgreSQLHistoryTables(new)
        for statement in tables.definitions { try destination.executeScript(statement) }
        try destination.executeScript("DELETE FROM \(tables.history)")
        for (name, columns) in PostgreSQLHistoryTables.columns { try copy(name, columns, old, new) }
    }

    private func copy(_ table: String, _ columns: [String], _ old: PostgreSQLSchema, _ new: PostgreSQLSchema) throws {
        let list: SQLFragment = "(\(.quoted(columns)))"
        try source.copy(from: old.qualified(table) + list, into: new.qualified(table) + list, of: destination)
    }

    /// Keys go on where the other store's are.
    private func copyKeys(from old: PostgreSQLSchema, to new: PostgreSQLSchema) throws {
        let last = try source.execute("SELECT last_value, is_called FROM \(old.qualified(PostgreSQLName.keys))")
        var parameters = PostgreSQLParameters()
        parameters.append(last.int8(0, 0))
        parameters.append(last.bool(0, 1))
        let sequence = SQLFragment.constant(new.qualified(PostgreSQLName.keys).text)
        try destination.execute("SELECT setval(CAST(\(sequence) AS regclass), $1, $2)", parameters)
    }
}

extension PostgreSQLStoreTable {
    /// Removes the tables of the store that is there, if any.
    ///
    /// - Returns: its version, or -1; and whether it had made the schema.
    func forget(_ connection: PostgreSQLConnection) throws -> (version: Int64, madeSchema: Bool?) {
        guard try read(connection) != nil else { return (-1, nil) }
        let kept = try connection.execute("SELECT \"made_schema\", \"model_version\" FROM \(table)")
        let former = (version: kept.int8(0, 1), madeSchema: kept.bool(0, 0) as Bool?)
        try removeTables(connection)
        return former
    }

    /// Writes what a copy has of the store whose place it takes.
    func finish(
        version: Int64, madeSchema: Bool?, hasHistory: Bool, _ schema: PostgreSQLSchema,
        in connection: PostgreSQLConnection
    ) throws {
        var parameters = PostgreSQLParameters()
        parameters.append(version)
        if let madeSchema { parameters.append(madeSchema) } else { parameters.appendNull(.boolean) }
        parameters.append(texts: schema.tableNames + (hasHistory ? PostgreSQLHistoryTables.names : []))
        try connection.execute(
            """
            UPDATE \(table) SET "model_version" = $1, "made_schema" = COALESCE($2, "made_schema"), "tables" = $3
            """, parameters)
    }
}
