@_spi(Engine) import CoreDataRows
import GRDB

extension SQLiteEngine {
    /// Reads in the state of a read view: the store as it is, or as it was when the reader was pinned. Nil where the
    /// store hadn't been added then.
    private func read<Value>(in view: ReadView, _ body: (SQLiteQueries, Database) throws -> Value) throws -> Value? {
        let (file, queries) = try current()
        switch view.state {
        case .present: return try readPresent(file, queries, body)
        case .absent: return nil
        case .pinned(let state):
            guard let generation = state as? SQLiteGeneration else { return nil }
            return try generation.read { try body(queries, $0) }
        }
    }

    /// Reads the store as it is, and once more where a value's external file was removed meanwhile.
    private func readPresent<Value>(
        _ file: SQLiteFile, _ queries: SQLiteQueries, _ body: (SQLiteQueries, Database) throws -> Value
    ) throws -> Value {
        let missing = queries.externalData.missing
        for _ in 0..<Self.readAttempts {
            let known = missing.count
            let result = try file.read { try body(queries, $0) }
            if missing.count == known { return result }
        }
        return try file.read { try body(queries, $0) }
    }

    private static let readAttempts = 10

    package func fetchRows(_ fetch: StoreFetch, in view: ReadView) throws -> [RowPage] {
        try read(in: view) { try $0.fetchRows(fetch, in: $1) } ?? []
    }

    package func fetchKeys(_ fetch: StoreFetch, in view: ReadView) throws -> [ObjectKey] {
        try read(in: view) { try $0.fetchKeys(fetch, in: $1) } ?? []
    }

    package func count(_ fetch: StoreFetch, in view: ReadView) throws -> Int {
        try read(in: view) { try $0.count(fetch, in: $1) } ?? 0
    }

    package func fetchDictionaries(_ fetch: StoreFetch, in view: ReadView) throws -> [[String: Any]] {
        try read(in: view) { try $0.fetchDictionaries(fetch, in: $1) } ?? []
    }

    package func loadRow(_ key: ObjectKey, in view: ReadView) throws -> RowRef? {
        try read(in: view) { try $0.loadRow(key, in: $1) } ?? nil
    }

    package func loadRows(_ keys: [ObjectKey], in view: ReadView) throws -> [RowPage] {
        try read(in: view) { try $0.loadRows(keys, in: $1) } ?? []
    }

    package func loadDestinations(of property: PropertyLayout, from owner: ObjectKey, in view: ReadView) throws
        -> [ObjectKey]
    {
        try read(in: view) { try $0.loadDestinations(of: property, from: owner, in: $1) } ?? []
    }

    package func loadDestinations(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> [Int64: [ObjectKey]]
    {
        try read(in: view) { try $0.loadDestinations(of: property, from: owners, in: $1) } ?? [:]
    }

    package func loadDestinationRows(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> DestinationRows
    {
        try read(in: view) { try $0.loadDestinationRows(of: property, from: owners, in: $1) } ?? DestinationRows()
    }
}

extension SQLiteEngine: HistoryKeeping {
    package func lastTransactionNumber() throws -> Int64? {
        let (file, _) = try current()
        return try file.read {
            try SQLiteHistoryReader.lastTransactionNumber(in: $0, knownShape: file.knownHistoryShape)
        }
    }

    package func transactions(for query: HistoryQuery, of identifier: String) throws
        -> [(header: HistoryTransactionHeader, changes: [HistoryChange]?)]
    {
        let (file, queries) = try current()
        return try file.read { database in
            guard
                var reader = try SQLiteHistoryReader(
                    database, queries: queries, storeIdentifier: identifier, knownShape: file.knownHistoryShape)
            else { return [] }
            try reader.checkExpiry(query.range)
            return query.onlyChecks ? [] : try reader.transactions(for: query)
        }
    }

    package func deleteHistory(_ range: HistoryRange, of identifier: String) throws -> Int {
        let (file, queries) = try current()
        return try file.write {
            try queries.deleteHistory(range, of: identifier, knownShape: file.knownHistoryShape, in: $0)
        }
    }
}
