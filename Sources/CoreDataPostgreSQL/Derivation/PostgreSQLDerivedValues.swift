@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat

/// Computes derived attributes, in the transaction that has written what they depend on.
///
/// Our choice: no triggers, as texts are made by our own code, and as a context has to know which rows have other values now.
final class PostgreSQLDerivedValues {
    private let schema: PostgreSQLSchema
    private let connection: PostgreSQLConnection
    /// By attribute: the keys of the rows that may have another value.
    private var affected: [Set<Int64>]
    /// The rows that were written themselves.
    private var written: [Set<Int64>]
    private var affectsAll = false

    private var attributes: [PostgreSQLDerivedAttribute] { schema.derived }

    /// Nil for a model without derived attributes.
    init?(_ schema: PostgreSQLSchema, _ connection: PostgreSQLConnection) {
        guard !schema.derived.isEmpty else { return nil }
        self.schema = schema
        self.connection = connection
        affected = Array(repeating: [], count: schema.derived.count)
        written = affected
    }

    // MARK: What may have changed

    /// Notes the rows that depend on these: once before they are changed or deleted, and once after they are written.
    func look(at keys: [ObjectKey]) throws {
        guard !keys.isEmpty else { return }
        var handles: [String: [Int64]] = [:]
        for key in keys { handles[try schema.entity(at: key.entityIndex).table, default: []].append(key.handle) }
        for (place, attribute) in attributes.enumerated() {
            for key in keys where attribute.entities.contains(Int(key.entityIndex)) {
                affected[place].insert(key.handle)
            }
            for dependency in attribute.dependencies {
                guard let changed = handles[dependency.table] else { continue }
                var parameters = PostgreSQLParameters()
                parameters.append(changed)
                let result = try connection.execute(dependency.owners, parameters)
                for row in 0..<result.count { affected[place].insert(result.int8(row, 0)) }
            }
        }
    }

    /// Notes the rows that depend on these, and the time at which they were written.
    func wrote(_ keys: [ObjectKey]) throws {
        try look(at: keys)
        for (place, attribute) in attributes.enumerated() {
            guard case .now = attribute.source else { continue }
            for key in keys where attribute.entities.contains(Int(key.entityIndex)) {
                written[place].insert(key.handle)
            }
        }
    }

    /// Notes that rows of an entity were changed of which it isn't known what they led to before.
    func wroteBlindly(_ layout: EntityLayout) throws {
        let table = try schema.entity(layout).table
        if attributes.contains(where: { $0.dependencies.contains { $0.table == table } }) { affectsAll = true }
    }

    // MARK: Computing

    /// How often values that depend on derived ones are computed again.
    private static let rounds = 8

    /// Computes what may have changed.
    ///
    /// - Returns: the rows that have another value now.
    func finish() throws -> [ObjectKey] {
        var changed: Set<ObjectKey> = []
        for round in 0..<Self.rounds {
            let (places, all) = (affected, affectsAll)
            affected = Array(repeating: [], count: attributes.count)
            affectsAll = false
            var next: [ObjectKey] = []
            for (place, attribute) in attributes.enumerated() {
                if case .now = attribute.source {
                    if round == 0 { next += try setTime(attribute, written[place]) }
                } else if all || !places[place].isEmpty {
                    next += try compute(attribute, all ? nil : places[place].sorted())
                }
            }
            changed.formUnion(next)
            guard !next.isEmpty, attributes.contains(where: \.followsDerived) else { break }
            try look(at: next)
        }
        return changed.sorted { $0.handle < $1.handle }
    }

    /// Computes the values of all rows, but for times.
    func computeAll() throws {
        affectsAll = true
        _ = try finish()
    }

    private func keys(_ result: PostgreSQLResult) -> [ObjectKey] {
        (0..<result.count).compactMap { row in
            schema.entityIndex(forNumber: result.int2(row, 1)).map {
                ObjectKey(handle: result.int8(row, 0), entityIndex: $0)
            }
        }
    }

    private func setTime(_ attribute: PostgreSQLDerivedAttribute, _ handles: Set<Int64>) throws -> [ObjectKey] {
        guard !handles.isEmpty else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append(handles.sorted())
        parameters.append(Date().timeIntervalSinceReferenceDate)
        return keys(
            try connection.execute(
                """
                UPDATE \(attribute.table) SET \(.quoted(attribute.column.name)) = $2 \
                WHERE "_id" = ANY($1) RETURNING "_id", "_entity"
                """, parameters))
    }

    /// - Parameter handles: the keys of the rows; nil for all.
    private func compute(_ attribute: PostgreSQLDerivedAttribute, _ handles: [Int64]?) throws -> [ObjectKey] {
        var parameters = PostgreSQLParameters()
        if let handles { parameters.append(handles) }
        let chosen: SQLFragment = handles == nil ? "" : " AND o.\"_id\" = ANY($1)"
        let rows: SQLFragment = "FROM \(attribute.table) o WHERE o.\"_entity\" IN (\(attribute.numbers))\(chosen)"
        if case .text(let function) = attribute.source {
            return try computeTexts(attribute, function, rows, parameters)
        }
        let column = SQLFragment.quoted(attribute.column.name)
        let type = attribute.column.type.castName
        return keys(
            try connection.execute(
                """
                UPDATE \(attribute.table) t SET \(column) = v.value \
                FROM (SELECT o."_id" AS key, CAST(\(attribute.expression) AS \(type)) AS value \(rows)) v \
                WHERE t."_id" = v.key AND t.\(column) IS DISTINCT FROM v.value RETURNING t."_id", t."_entity"
                """, parameters))
    }

    private func computeTexts(
        _ attribute: PostgreSQLDerivedAttribute, _ function: BuiltInFunction, _ rows: SQLFragment,
        _ parameters: PostgreSQLParameters
    ) throws -> [ObjectKey] {
        let found = try connection.execute(
            "SELECT o.\"_id\", CAST(\(attribute.expression) AS text) \(rows)", parameters)
        var handles: [Int64] = []
        var texts: [String?] = []
        for row in 0..<found.count {
            handles.append(found.int8(row, 0))
            texts.append(found.isNull(row, 1) ? nil : function.value([found.string(row, 1)]) as? String)
        }
        var values = PostgreSQLParameters()
        values.append(handles)
        values.append(texts: texts)
        let column = SQLFragment.quoted(attribute.column.name)
        return keys(
            try connection.execute(
                """
                UPDATE \(attribute.table) t SET \(column) = v.value FROM unnest($1, $2) AS v(key, value) \
                WHERE t."_id" = v.key AND t.\(column) IS DISTINCT FROM v.value RETURNING t."_id", t."_entity"
                """, values))
    }
}
