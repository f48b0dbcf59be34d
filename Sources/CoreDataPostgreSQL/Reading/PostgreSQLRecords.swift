@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// Rows as predicates and sort descriptors look at them, with what they lead to.
///
/// Where one of them is asked for a relationship, that of all rows of its entity is read: a predicate asks them all. So the
/// number of statements is that of the key paths' steps, and not that of the rows.
final class PostgreSQLRecords {
    private let queries: PostgreSQLQueries
    private let connection: PostgreSQLConnection
    private let link: ObjectLink
    private var records: [Int64: PostgreSQLRecord] = [:]
    /// Keys that lead to no row.
    private var absent: Set<Int64> = []
    private var members: [Int: [ObjectIdentifier: [Int64: [ObjectKey]]]] = [:]
    /// What reading a relationship has met: key-value coding can't throw.
    private(set) var failure: (any Error)?

    init(_ queries: PostgreSQLQueries, _ connection: PostgreSQLConnection, link: ObjectLink) {
        self.queries = queries
        self.connection = connection
        self.link = link
    }

    var model: ModelLayout { queries.schema.model }

    /// The records of a fetch's rows, in order.
    func fetch(_ fetch: StoreFetch) throws -> [PostgreSQLRecord] {
        try take(queries.fetchRows(fetch, in: connection))
    }

    /// The records of the rows with these keys.
    func load(rowsWith keys: [ObjectKey]) throws -> [PostgreSQLRecord] {
        try load(keys)
        return keys.compactMap { records[$0.handle] }
    }

    func noting<Value>(_ read: () throws -> Value) -> Value? {
        do {
            return try read()
        } catch {
            if failure == nil { failure = error }
            return nil
        }
    }

    func objectID(_ key: ObjectKey) -> Any { link.objectID(key, model) }

    private func take(_ pages: [RowPage]) -> [PostgreSQLRecord] {
        pages.flatMap { page in
            (0..<page.count).map { row in
                let reference = RowRef(page: page, row: row)
                if let known = records[reference.key.handle] { return known }
                let record = PostgreSQLRecord(reference, in: self)
                records[reference.key.handle] = record
                return record
            }
        }
    }

    private func load(_ keys: [ObjectKey]) throws {
        var seen: Set<Int64> = []
        let missing = keys.filter {
            records[$0.handle] == nil && !absent.contains($0.handle) && seen.insert($0.handle).inserted
        }
        guard !missing.isEmpty else { return }
        _ = take(try queries.loadRows(missing, in: connection))
        for key in missing where records[key.handle] == nil { absent.insert(key.handle) }
    }

    /// The known rows of the entity whose property it is.
    private func owners(of property: PropertyLayout) -> [PostgreSQLRecord] {
        records.values.filter { $0.layout === property.owner }
    }

    func destination(of property: PropertyLayout, from record: PostgreSQLRecord) throws -> PostgreSQLRecord? {
        guard case .reference(let key) = record.row.page.value(record.row.row, property) else { return nil }
        if records[key.handle] == nil, !absent.contains(key.handle) {
            try load(
                owners(of: property).compactMap { other in
                    if case .reference(let key) = other.row.page.value(other.row.row, property) { key } else { nil }
                })
        }
        return records[key.handle]
    }

    func destinations(of property: PropertyLayout, from record: PostgreSQLRecord) throws -> [PostgreSQLRecord] {
        let name = ObjectIdentifier(property)
        let handle = record.row.key.handle
        if members[record.layout.index]?[name]?[handle] == nil {
            let known = members[record.layout.index]?[name] ?? [:]
            let owners = owners(of: property).map(\.row.key).filter { known[$0.handle] == nil }
            let found = try queries.loadDestinationRows(of: property, from: owners, in: connection)
            let destinations = take(found.pages)
            var keys: [Int64: [ObjectKey]] = Dictionary(uniqueKeysWithValues: owners.map { ($0.handle, []) })
            for pair in found.pairs { keys[pair.owner, default: []].append(destinations[Int(pair.row)].row.key) }
            members[record.layout.index, default: [:]][name, default: [:]].merge(keys) { $1 }
        }
        return (members[record.layout.index]?[name]?[handle] ?? []).compactMap { records[$0.handle] }
    }
}

/// One row, as predicates and sort descriptors look at it.
final class PostgreSQLRecord: RowRecord {
    let row: RowRef
    let layout: EntityLayout
    private unowned let records: PostgreSQLRecords

    init(_ row: RowRef, in records: PostgreSQLRecords) {
        self.row = row
        self.records = records
        layout = records.model.entities[Int(row.key.entityIndex)]
    }

    var identity: AnyHashable { records.objectID(row.key) as! AnyHashable }

    func value(of property: PropertyLayout) -> Any? {
        switch property.kind {
        case .toOne: records.noting { try records.destination(of: property, from: self) } ?? nil
        case .toMany: records.noting { try records.destinations(of: property, from: self) } ?? []
        case .fetched: nil
        default: attribute(property) { row.page.value(row.row, $0) }
        }
    }
}
