import FoundationCompat

@_exported import class FoundationCompat.NSSortDescriptor

/// Sort descriptors as an `ORDER BY` clause.
///
/// Nil comes first where the order ascends, in SQLite as in memory.
package enum SQLOrdering {
    package static func clause(_ descriptors: [NSSortDescriptor], _ translator: SQLTranslator) throws -> SQLFragment {
        guard !descriptors.isEmpty else { return "" }
        return " ORDER BY \(try descriptors.map { try term($0, translator) }.joined(separator: ", "))"
    }

    private static func term(_ descriptor: NSSortDescriptor, _ translator: SQLTranslator) throws -> SQLFragment {
        let key = descriptor.key ?? "self"
        guard let selector = descriptor.selector else {
            throw SQLQueryError.unsupported("Sorting by \(key) with a comparator block")
        }
        let keys = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard case .scalar(let value, let type) = try translator.keyPath(keys[...]) else {
            throw SQLQueryError.toManyNotAllowed(key)
        }
        let collation = try collation(for: selector.description, key: key, type, translator.scope.dialect)
        let nulls = translator.scope.dialect.placeOfNulls(ascending: descriptor.ascending)
        return "\(value)\(collation)\(raw: descriptor.ascending ? "" : " DESC")\(nulls)"
    }

    private static func collation(
        for selector: String, key: String, _ type: SQLValueType, _ dialect: SQLDialect
    ) throws -> SQLFragment {
        let collation = SQLStringCollation(selector: selector)
        guard collation != nil || selector == "compare:" else {
            throw SQLQueryError.unsupported("Sorting by \(key) with the selector \(selector)")
        }
        switch type {
        case .string:
            guard collation == nil || dialect.runsOwnFunctions else {
                throw SQLDialect.needsOwnFunction("Sorting by \(key) with the selector \(selector)")
            }
            return collation.map { " COLLATE \(raw: $0.rawValue)" } ?? ""
        // Objects themselves are in the order of their keys, as Apple's framework has them.
        case .object: return ""
        // Values of other types have only one order, in memory too.
        case _ where type.isOrdered: return ""
        default:
            throw SQLQueryError.unsupported("Sorting by \(key)", because: "\(type.description) has no order")
        }
    }
}
