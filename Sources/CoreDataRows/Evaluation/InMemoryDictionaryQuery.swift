import Foundation
import FoundationCompat
import ManagedObjectModel

/// Answers a fetch for dictionaries over values in memory, as the SQLite store answers it in SQL.
package struct InMemoryDictionaryQuery {
    private let fetch: StoreFetch
    private let columns: [InMemoryColumn]
    private let groups: [InMemoryColumn]

    /// - Throws: an error that names the part of the request that can't be.
    package init(_ fetch: StoreFetch) throws {
        self.fetch = fetch
        let items = fetch.propertiesToFetch ?? InMemoryColumn.names(of: fetch.entity)
        let columns = try items.map { try InMemoryColumn($0, fetch.entity) }
        guard !columns.isEmpty else {
            throw InMemoryColumn.invalid("propertiesToFetch is empty: dictionaries need at least one property")
        }
        groups = try (fetch.propertiesToGroupBy ?? []).map { item in
            if let column = columns.first(where: { $0.name == item as? String }) { return column }
            return try InMemoryColumn(item, fetch.entity)
        }
        self.columns = columns
        try check()
    }

    /// A value that differs within a group has no place in the group's dictionary.
    private func check() throws {
        if fetch.havingPredicate != nil, groups.isEmpty {
            throw InMemoryColumn.invalid("havingPredicate needs propertiesToGroupBy")
        }
        if isGrouped {
            for column in columns where !column.isAggregate && column.total == nil && !isGroupedBy(column) {
                throw InMemoryColumn.invalid(
                    "propertiesToFetch has \(column.name), which is neither in propertiesToGroupBy nor an aggregate. "
                        + "Group by it, or fetch its minimum or maximum.")
            }
        }
        for key in (fetch.sortDescriptors ?? []).compactMap(\.key) where !columns.contains(where: { $0.name == key }) {
            try FetchedKeyPath(key, from: fetch.entity).requireToOnes()
        }
    }

    private var isGrouped: Bool { !groups.isEmpty || columns.contains(where: \.isAggregate) }

    private func isGroupedBy(_ column: InMemoryColumn) -> Bool { groups.contains { $0.isSame(as: column) } }

    /// The key paths whose values the dictionaries, their groups and their order are made of.
    package var keyPaths: Set<String> {
        var paths: Set<String> = []
        for column in columns + groups { paths.formUnion(Self.keyPaths(in: column.expression)) }
        let names = Set(columns.map(\.name))
        for key in (fetch.sortDescriptors ?? []).compactMap(\.key) where !names.contains(key) { paths.insert(key) }
        if let having = fetch.havingPredicate {
            paths.formUnion(
                Self.keyPaths(in: having).filter { !names.contains($0) || fetch.entity.property(named: $0) != nil })
        }
        return paths.isEmpty ? ["objectID"] : paths
    }

    private static func keyPaths(in predicate: NSPredicate) -> Set<String> {
        switch predicate {
        case let compound as NSCompoundPredicate:
            return compound.subpredicates.reduce(into: []) { $0.formUnion(keyPaths(in: $1)) }
        case let comparison as NSComparisonPredicate:
            return keyPaths(in: comparison.leftExpression).union(keyPaths(in: comparison.rightExpression))
        default: return []
        }
    }

    private static func keyPaths(in expression: NSExpression) -> Set<String> {
        switch expression.form {
        case .keyPath(nil, let path):
            // An operator over the records of a group is applied to the values behind it.
            guard path.keys[0].hasPrefix("@") else { return [path.string] }
            return path.keys.count > 1 ? [path.keys.dropFirst().joined(separator: ".")] : []
        case .function(nil, _, let arguments):
            return arguments.reduce(into: []) { $0.formUnion(keyPaths(in: $1)) }
        case .aggregate(let elements): return elements.reduce(into: []) { $0.formUnion(keyPaths(in: $1)) }
        case .conditional(let predicate, let yes, let no):
            return keyPaths(in: predicate).union(keyPaths(in: yes)).union(keyPaths(in: no))
        default: return []
        }
    }

    /// The dictionaries of the records that fulfil the predicate; what is nil is left out.
    package func dictionaries<Record: KeyValueCoding>(_ records: [Record]) throws -> [[String: Any]] {
        var results = try grouped(try InMemoryQuery(fetch).filter(records)).compactMap(result)
        if fetch.returnsDistinctResults { results = Self.distinct(results) }
        if let descriptors = fetch.sortDescriptors, !descriptors.isEmpty {
            results = results.sorted(using: descriptors)
        }
        return fetch.paged(results).map(\.dictionary)
    }

    /// The groups in the order in which their first records come; without groups each record is one, or all are.
    private func grouped<Record: KeyValueCoding>(_ records: [Record]) throws -> [[Record]] {
        guard !groups.isEmpty else {
            return columns.contains(where: \.isAggregate) ? [records] : records.map { [$0] }
        }
        let evaluation = GroupEvaluation(fetch.entity)
        var places: [[ValueIdentity.Key?]: Int] = [:]
        var result: [[Record]] = []
        for record in records {
            let key = try groups.map { ValueIdentity.key(try evaluation.value(of: $0.expression, [record])) }
            if let place = places[key] {
                result[place].append(record)
            } else {
                places[key] = result.count
                result.append([record])
            }
        }
        return result
    }

    private func result<Record: KeyValueCoding>(_ group: [Record]) throws -> InMemoryResult? {
        var evaluation = GroupEvaluation(fetch.entity)
        var dictionary: [String: Any] = [:]
        var values: [String: Any?] = [:]
        for column in columns {
            let total = isGrouped && !isGroupedBy(column) ? column.total : nil
            let value = try evaluation.value(of: column.expression, total: total, group)
            dictionary[column.name] = try column.result(value)
            values.updateValue(value, forKey: column.name)
        }
        evaluation.namedValues = values
        if let predicate = fetch.havingPredicate, try !evaluation.isTrue(predicate, group) { return nil }
        return InMemoryResult(
            dictionary: dictionary, values: values, record: group.first, entity: fetch.entity, prefersNames: isGrouped)
    }

    private static func distinct(_ results: [InMemoryResult]) -> [InMemoryResult] {
        var seen: Set<[String: ValueIdentity.Key?]> = []
        return results.filter { seen.insert($0.dictionary.mapValues { ValueIdentity.key($0) }).inserted }
    }
}

extension InMemoryColumn {
    fileprivate func isSame(as other: InMemoryColumn) -> Bool {
        name == other.name || expression.isEqual(other.expression)
    }
}

/// A dictionary with what it can be sorted by besides its own entries: the properties of the record it was made of.
private final class InMemoryResult: NSObject, KeyValueCoding {
    let dictionary: [String: Any]
    private let values: [String: Any?]
    private let record: (any KeyValueCoding)?
    private let entity: EntityLayout

    /// Whether an entry stands for its name even where there is a property of that name: of a group, that has no value.
    private let prefersNames: Bool

    init(
        dictionary: [String: Any], values: [String: Any?], record: (any KeyValueCoding)?, entity: EntityLayout,
        prefersNames: Bool
    ) {
        self.prefersNames = prefersNames
        self.dictionary = dictionary
        self.values = values
        self.record = record
        self.entity = entity
        super.init()
    }

    func kvcValue(forKey key: String) -> Any? {
        if prefersNames || entity.property(named: key) == nil, let named = values[key] { return named }
        return record?.kvcValue(forKey: key)
    }
    func definesKVCValue(forKey key: String) -> Bool {
        values[key] != nil || record?.definesKVCValue(forKey: key) ?? false
    }
    func setKVCValue(_ value: Any?, forKey key: String) { record?.setKVCValue(value, forKey: key) }
}
