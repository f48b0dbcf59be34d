@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// Where the value of a column of the new model comes from, as an expression over the old row `o`.
struct PostgreSQLColumnSource: Hashable {
    let sql: SQLFragment
    /// The old column whose value is taken as it is.
    let copied: String?

    static let null = PostgreSQLColumnSource("NULL")

    init(_ sql: SQLFragment) {
        self.sql = sql
        copied = nil
    }

    /// The value of a column of the old row.
    init(copying column: String) {
        sql = "o.\(.quoted(column))"
        copied = column
    }

    var isNull: Bool { self == .null }

    /// What the rows of one entity of the old table get.
    struct Part {
        var number: Int16
        /// The columns in which rows of the entity may have values.
        var columns: Set<String>
        var source: PostgreSQLColumnSource
    }

    /// One expression for the rows of several entities in one table.
    ///
    /// - Parameter parts: the entities of the old table whose rows are kept.
    static func combine(_ parts: [Part]) -> PostgreSQLColumnSource {
        guard let first = parts.first?.source else { return .null }
        if parts.allSatisfy({ $0.source == first }) { return first }
        let given = parts.filter { !$0.source.isNull }
        if let copied = given.first?.source.copied, given.allSatisfy({ $0.source.copied == copied }),
            parts.allSatisfy({ !$0.source.isNull || !$0.columns.contains(copied) })
        {
            // Rows without the property have no value in its column anyway.
            return PostgreSQLColumnSource(copying: copied)
        }
        let numbers = Dictionary(grouping: given, by: \.source).mapValues { $0.map { Int64($0.number) } }
        let cases = numbers.sorted { $0.value[0] < $1.value[0] }.map { source, numbers in
            "WHEN o.\"_entity\" IN (\(.numbers(numbers))) THEN \(source.sql)" as SQLFragment
        }
        return PostgreSQLColumnSource("CASE \(cases.joined(separator: " ")) END")
    }
}

extension PostgreSQLColumnSource {
    /// The default value of an attribute; null where it has none.
    ///
    /// - Throws: `NSMigrationError` for one that a store can't keep.
    static func initial(of property: PropertyLayout) throws -> PostgreSQLColumnSource {
        guard let type = PostgreSQLColumn.type(of: property.kind) else { return .null }
        func cast(_ binding: SQLBinding) -> PostgreSQLColumnSource {
            PostgreSQLColumnSource("CAST(\(bind: binding) AS \(type.castName))")
        }
        switch property.defaultValue {
        case .null, .reference, .destination: return .null
        case .int(let number):
            return type == .boolean ? PostgreSQLColumnSource(number == 0 ? "FALSE" : "TRUE") : cast(.int(number))
        case .double(let number): return number.isNaN ? .null : cast(.double(number))
        case .string(let text): return try cast(.text(storable(text, property)))
        case .data(let data): return cast(.blob(data))
        case .uuid(let uuid): return cast(.text(uuid.uuidString))
        case .decimal(let number): return cast(.text(number.isNaN ? "NaN" : number.description))
        case .object(let box):
            if property.kind == .uri, let url = box.value as? URL {
                return try cast(.text(storable(url.absoluteString, property)))
            }
            guard let data = TransformableCoder.data(from: box.value, of: property) else {
                throw MigrationError.make(
                    "The default value of '\(property.name)' can't be turned into data by its value transformer.")
            }
            return cast(.blob(data))
        }
    }

    private static func storable(_ text: String, _ property: PropertyLayout) throws -> String {
        guard !text.utf8.contains(0) else {
            throw MigrationError.make(
                "The default value of '\(property.name)' has the character U+0000, which no text of a server can have.")
        }
        return text
    }

    /// The value of an old attribute's column in the type of the new one.
    static func value(
        of column: PostgreSQLColumn, as property: PropertyLayout, initial: PostgreSQLColumnSource
    ) -> PostgreSQLColumnSource {
        var source = PostgreSQLColumnSource(copying: column.name)
        if let type = PostgreSQLColumn.type(of: property.kind), type != column.type {
            // A truth value becomes an integer, and that any other number.
            let number: SQLFragment = column.type == .boolean ? "CAST(\(source.sql) AS integer)" : source.sql
            source = PostgreSQLColumnSource("CAST(\(number) AS \(type.castName))")
        }
        if column.property.isOptional, !property.isOptional, !initial.isNull {
            source = PostgreSQLColumnSource("COALESCE(\(source.sql), \(initial.sql))")
        }
        return source
    }
}
