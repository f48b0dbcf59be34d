@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import ManagedObjectModel

/// How a fetch is answered that the server can't be asked for as a whole: the part of the predicate that SQL can say selects
/// rows, and the rest is evaluated on them as on objects in memory. The result is the same, and takes longer.
struct PostgreSQLFetchPlan {
    /// What the server is asked for.
    private let selected: StoreFetch
    /// What is evaluated on these rows.
    private let evaluated: StoreFetch
    private let queries: PostgreSQLQueries

    /// - Parameter asksServer: whether a part of the predicate may be said in SQL. No where the server turned out not to be
    ///   able to compute it.
    /// - Throws: an error for a predicate that is code, which no store can be asked, and for one that makes no sense.
    init(_ fetch: StoreFetch, _ queries: PostgreSQLQueries, asksServer: Bool) throws {
        if fetch.predicate?.asksCode ?? false {
            throw SQLQueryError.make(
                "a predicate that is code (a block, a selector, a subclass) can't be part of a fetch from a PostgreSQL store",
                suggestion: "Filter the fetched objects in memory instead.")
        }
        self.queries = queries
        var selected = fetch.withoutPaging
        var evaluated = fetch
        let parts = fetch.predicate.map(Self.conjuncts) ?? []
        let said = asksServer ? try parts.filter { try Self.isSayable($0, fetch, queries) } : []
        let rest = parts.filter { part in !said.contains { $0 === part } }
        // An aggregate over all objects of the entity isn't one over those that are left.
        let narrows = try !rest.contains { try Self.asksAllObjects($0, fetch.entity) }
        selected.predicate = narrows && !said.isEmpty ? NSCompoundPredicate(andPredicateWithSubpredicates: said) : nil
        evaluated.predicate =
            narrows ? (rest.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: rest)) : fetch.predicate
        // By key, so that rows that are equal otherwise have an order.
        selected.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        self.selected = selected
        self.evaluated = evaluated
    }

    private static func conjuncts(_ predicate: NSPredicate) -> [NSPredicate] {
        guard let compound = predicate as? NSCompoundPredicate, compound.compoundPredicateType == .and,
            !compound.subpredicates.isEmpty
        else { return [predicate] }
        return compound.subpredicates.flatMap(conjuncts)
    }

    private static func isSayable(_ part: NSPredicate, _ fetch: StoreFetch, _ queries: PostgreSQLQueries) throws -> Bool
    {
        let scope = try SQLScope(entity: fetch.entity, schema: queries.schema)
        do {
            _ = try SQLTranslator(scope: scope, coder: queries.coder).condition(part)
            return true
        } catch  where SQLQueryError.isUnsupported(error) {
            return false
        }
    }

    private static func asksAllObjects(_ part: NSPredicate, _ entity: EntityLayout) throws -> Bool {
        var asks = false
        _ = try InMemoryPredicate.make(part, for: entity) { _ in
            asks = true
            return nil
        }
        return asks
    }

    // MARK: Answers

    private func run<Result>(
        _ records: PostgreSQLRecords, _ body: ([PostgreSQLRecord]) throws -> Result
    ) throws -> Result {
        let result = try body(records.fetch(selected))
        if let failure = records.failure { throw failure }
        return result
    }

    func keys(_ records: PostgreSQLRecords) throws -> [ObjectKey] {
        try run(records) { try InMemoryQuery(evaluated).select($0).map(\.row.key) }
    }

    func dictionaries(_ records: PostgreSQLRecords) throws -> [[String: Any]] {
        try run(records) { try InMemoryDictionaryQuery(evaluated).dictionaries($0) }
    }

    func rows(_ records: PostgreSQLRecords) throws -> [RowPage] {
        try run(records) { found in
            let selected = try InMemoryQuery(evaluated).select(found)
            // All of them, as they came: their pages are the answer.
            if selected.count == found.count, zip(selected, found).allSatisfy({ $0 === $1 }) {
                return Self.pages(of: found)
            }
            return Self.copies(of: selected, evaluated.entity)
        }
    }

    private static func pages(of records: [PostgreSQLRecord]) -> [RowPage] {
        var pages: [RowPage] = []
        for record in records where pages.last !== record.row.page { pages.append(record.row.page) }
        return pages
    }

    private static func copies(of records: [PostgreSQLRecord], _ entity: EntityLayout) -> [RowPage] {
        stride(from: 0, to: records.count, by: RowPage.defaultCapacity).map { start in
            let part = records[start..<min(start + RowPage.defaultCapacity, records.count)]
            let page = RowPage(model: entity.model, slotCount: entity.widestSlotCount, capacity: part.count)
            for record in part {
                let row = record.row
                page.appendRow(handle: row.key.handle, entityIndex: Int(row.key.entityIndex), version: row.version)
                for leaf in record.layout.storedLeaves { page.setValue(row.page.value(row.row, leaf), of: leaf) }
            }
            return page
        }
    }
}
