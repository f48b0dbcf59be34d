@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// What a store says of itself: a row with its UUID, its metadata and its model, and a row for each entity.
struct PostgreSQLStoreTable {
    /// What the metadata says of the store's type.
    static let storeType = "PostgreSQL"

    let address: PostgreSQLAddress

    init(_ address: PostgreSQLAddress) { self.address = address }

    var table: SQLFragment { qualified(PostgreSQLName.store) }

    /// A table of the store as it stands in a statement.
    func qualified(_ name: String) -> SQLFragment { SQLDialect.postgreSQL(schema: address.schema).table(name) }

    private func exists(_ connection: PostgreSQLConnection) throws -> Bool {
        var parameters = PostgreSQLParameters()
        parameters.append(address.schema)
        parameters.append(PostgreSQLName.store)
        let result = try connection.execute(
            """
            SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relname = $2
            """, parameters)
        return result.count > 0
    }

    /// Has others that make, change or remove the store wait until the transaction has ended.
    func lock(_ connection: PostgreSQLConnection) throws {
        var parameters = PostgreSQLParameters()
        parameters.append("OpenCoreData." + address.schema)
        try connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", parameters)
    }

    /// Has others that migrate the store wait until the transaction has ended. A transaction that has it may take the other lock in further
    /// transactions.
    func lockMigration(_ connection: PostgreSQLConnection) throws {
        var parameters = PostgreSQLParameters()
        parameters.append("OpenCoreData.migration." + address.schema)
        try connection.execute("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", parameters)
    }

    // MARK: Reading

    /// The store's metadata, with its type and UUID in it; nil where there is no store.
    func read(_ connection: PostgreSQLConnection) throws -> [String: Any]? {
        guard try exists(connection) else { return nil }
        let result = try connection.execute("SELECT \"uuid\", \"metadata\" FROM \(table)")
        guard result.count == 1 else { throw damaged("has no row") }
        let node: PropertyListNode
        do {
            node = try PropertyListNode.read(result.data(0, 1))
        } catch {
            throw damaged("has metadata that can't be read (\(error))")
        }
        guard var metadata = node.foundationValue as? [String: Any] else {
            throw damaged("has metadata that are no dictionary")
        }
        metadata[NSStoreUUIDKey] = result.string(0, 0)
        metadata[NSStoreTypeKey] = Self.storeType
        return metadata
    }

    /// How often the store was migrated or replaced: another number is another model, or another store. Nil where there is no
    /// store.
    func modelVersion(_ connection: PostgreSQLConnection) throws -> Int64? {
        guard try exists(connection) else { return nil }
        let result = try connection.execute("SELECT \"model_version\" FROM \(table)")
        guard result.count == 1 else { throw damaged("has no row") }
        return result.int8(0, 0)
    }

    func entityNumbers(_ connection: PostgreSQLConnection) throws -> [String: Int16] {
        let result = try connection.execute("SELECT \"name\", \"number\" FROM \(qualified(PostgreSQLName.entities))")
        return Dictionary((0..<result.count).map { (result.string($0, 0), result.int2($0, 1)) }) { first, _ in first }
    }

    /// The model for which the store was made.
    func model(_ connection: PostgreSQLConnection) throws -> NSManagedObjectModel? {
        guard try exists(connection) else { return nil }
        let result = try connection.execute("SELECT \"model\" FROM \(table)")
        guard result.count == 1, !result.isNull(0, 0) else { return nil }
        let model = try NSManagedObjectModel(archivedData: result.data(0, 0))
        model.isFromFile = true
        return model
    }

    private func damaged(_ what: String) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOpenError, "\(address.description): the table \(PostgreSQLName.store) \(what).")
    }

    // MARK: Writing

    /// Writes the metadata, all of it.
    func write(_ metadata: [String: Any], in connection: PostgreSQLConnection) throws {
        var parameters = PostgreSQLParameters()
        try append(metadata, to: &parameters)
        try connection.execute("UPDATE \(table) SET \"uuid\" = $1, \"metadata\" = $2", parameters)
    }

    private func append(_ metadata: [String: Any], to parameters: inout PostgreSQLParameters) throws {
        var list = metadata
        let uuid = list.removeValue(forKey: NSStoreUUIDKey) as? String ?? UUID().uuidString
        guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The metadata have a value that a property list can't hold.")
        }
        parameters.append(uuid)
        parameters.append(try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0))
    }

    /// Makes the store, in a transaction that has the lock.
    ///
    /// - Parameter isCopied: whether rows are copied into the tables before they get keys and indexes.
    func make(
        _ schema: PostgreSQLSchema, _ metadata: [String: Any], isCopied: Bool = false,
        in connection: PostgreSQLConnection
    ) throws {
        var name = PostgreSQLParameters()
        name.append(address.schema)
        let isThere = try connection.execute("SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", name).count > 0
        if !isThere { try connection.execute("CREATE SCHEMA \(.quoted(address.schema))") }
        let definitions = isCopied ? schema.tableDefinitions : schema.definitions
        try connection.executeScript(definitions.joined(separator: ";\n"))
        var parameters = PostgreSQLParameters()
        try append(metadata, to: &parameters)
        parameters.append(try schema.model.model.archivedData(omitsForeignDefaults: true))
        parameters.append(!isThere)
        // Who has another store open that was in its place is refused when it writes.
        parameters.append(Int64.random(in: 0...1 << 40))
        let tables = schema.tableNames.map { SQLFragment.constant($0) }.joined(separator: ", ")
        try connection.execute(
            """
            INSERT INTO \(table) ("uuid", "metadata", "model", "made_schema", "model_version", "tables") \
            VALUES ($1, $2, $3, $4, $5, ARRAY[\(tables)])
            """, parameters)
    }

    /// Writes what a migration changes: metadata, model, and the names of tables.
    func rewrite(
        _ metadata: [String: Any], _ schema: PostgreSQLSchema, hasHistory: Bool, in connection: PostgreSQLConnection
    ) throws {
        var parameters = PostgreSQLParameters()
        try append(metadata, to: &parameters)
        parameters.append(try schema.model.model.archivedData(omitsForeignDefaults: true))
        parameters.append(texts: schema.tableNames + (hasHistory ? PostgreSQLHistoryTables.names : []))
        try connection.execute(
            """
            UPDATE \(table) SET "uuid" = $1, "metadata" = $2, "model" = $3, "tables" = $4, \
            "model_version" = "model_version" + 1
            """, parameters)
    }

    /// Removes everything that the store has made in its schema.
    func removeTables(_ connection: PostgreSQLConnection) throws {
        let tables = try tables(connection) + [table]
        try connection.execute("DROP TABLE IF EXISTS \(tables.joined(separator: ", "))")
        try connection.execute("DROP SEQUENCE IF EXISTS \(qualified(PostgreSQLName.keys))")
    }

    /// Removes the store, and the schema if the store has made it and nothing else is in it.
    func destroy(_ connection: PostgreSQLConnection) throws {
        try lock(connection)
        guard try exists(connection) else { return }
        let row = try connection.execute("SELECT \"made_schema\" FROM \(table)")
        let madeSchema = row.count > 0 && row.bool(0, 0)
        try removeTables(connection)
        guard madeSchema else { return }
        var name = PostgreSQLParameters()
        name.append(address.schema)
        let others = try connection.execute(
            """
            SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 UNION ALL SELECT 1 FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n \
            ON n.oid = p.pronamespace WHERE n.nspname = $1 LIMIT 1
            """, name)
        if others.count == 0 { try connection.execute("DROP SCHEMA \(.quoted(address.schema)) RESTRICT") }
    }
}
