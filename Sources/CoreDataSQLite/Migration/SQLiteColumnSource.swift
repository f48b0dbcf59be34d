import CoreDataSQL

/// Where the value of a column of a new table comes from, as an expression over the old row `o`.
struct SQLiteColumnSource: Hashable {
    /// What has to be looked at for the value.
    enum Reach: Int, Comparable {
        case nothing
        /// The old row itself, so that the value can be computed while rows are changed in their place.
        case row
        case otherRows

        static func < (left: Reach, right: Reach) -> Bool { left.rawValue < right.rawValue }
    }

    let sql: SQLFragment
    let reach: Reach
    /// The old column whose value is taken as it is.
    let copied: String?

    static let null = SQLiteColumnSource("NULL", .nothing)

    init(_ sql: SQLFragment, _ reach: Reach) {
        self.sql = sql
        self.reach = reach
        copied = nil
    }

    /// The value of a column of the old row.
    init(copying column: String) {
        sql = "o.\(.name(column))"
        reach = .row
        copied = column
    }

    var isNull: Bool { self == .null }

    /// What the rows of one entity of the old table get.
    struct Part {
        var number: Int64
        /// The columns in which rows of the entity have values.
        var columns: Set<String>
        var source: SQLiteColumnSource
    }

    /// One expression for the rows of several entities in one table.
    ///
    /// - Parameter parts: the entities of the old table whose rows are kept.
    static func combine(_ parts: [Part])
        -> SQLiteColumnSource
    {
        guard let first = parts.first?.source else { return .null }
        if parts.allSatisfy({ $0.source == first }) { return first }
        let given = parts.filter { !$0.source.isNull }
        if let copied = given.first?.source.copied, given.allSatisfy({ $0.source.copied == copied }),
            parts.allSatisfy({ !$0.source.isNull || !$0.columns.contains(copied) })
        {
            // Rows without the property have no value in its column anyway.
            return SQLiteColumnSource(copying: copied)
        }
        var order: [SQLiteColumnSource] = []
        var numbers: [SQLiteColumnSource: [Int64]] = [:]
        for part in given {
            if numbers[part.source] == nil { order.append(part.source) }
            numbers[part.source, default: []].append(part.number)
        }
        let cases = order.map { "WHEN o.\(.entity) IN (\(.numbers(numbers[$0] ?? []))) THEN \($0.sql)" as SQLFragment }
        let reach = max(Reach.row, given.map(\.source.reach).max() ?? .row)
        return SQLiteColumnSource("CASE \(cases.joined(separator: " ")) END", reach)
    }
}
