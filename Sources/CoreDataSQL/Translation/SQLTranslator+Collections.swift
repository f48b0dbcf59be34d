extension SQLTranslator {
    /// A collection itself, or the value of the collection operator (`@count`, `@sum` …) that its path ends in.
    func applyingOperators(of collection: SQLCollection) throws -> SQLOperand {
        let rest = collection.path.rest
        guard let index = rest.firstIndex(where: { $0.hasPrefix("@") }) else { return .collection(collection) }
        let before = rest[..<index]
        let after = rest[(index + 1)...]
        guard let aggregate = SQLCollectionOperator(rawValue: rest[index]) else {
            throw SQLQueryError.unsupported("The collection operator \(rest[index])")
        }
        let whole = collection.keyPath
        if aggregate == .distinctUnionOfObjects || aggregate == .unionOfObjects {
            return try unionOperand(of: collection, before: before, after: after, whole: whole)
        }
        guard aggregate == .count ? after.isEmpty : !after.isEmpty else {
            throw SQLQueryError.unsupported("The key path \(whole)")
        }
        let rows = try SQLCollectionRows(collection, seenFrom: self)
        guard !(before + after).isEmpty else {
            return .scalar(try rows.scalar(selecting: "COUNT(*)"), .integer)
        }
        // With a second to-many before the operator it is applied to each element's, if by ANY or ALL to any.
        guard case .scalar(let value, let type) = try rows.translator.keyPath(before + after) else {
            return .collection(collection)
        }
        guard before.isEmpty || aggregate == .count else {
            throw SQLQueryError.unsupported("The key path \(whole)")
        }
        if aggregate == .count {
            // The values of a set's elements are a set again.
            return .scalar(try rows.scalar(selecting: "COUNT(DISTINCT \(value))"), .integer)
        }
        let (selection, resultType) = try SQLAggregate(aggregate).apply(to: value, type, of: whole, scope.dialect)
        return .scalar(try rows.scalar(selecting: selection), resultType)
    }

    /// `@distinctUnionOfObjects.key`: the same values as `key`'s, since a comparison doesn't see how often one occurs.
    private func unionOperand(
        of collection: SQLCollection, before: ArraySlice<String>, after: ArraySlice<String>, whole: String
    ) throws -> SQLOperand {
        guard before.isEmpty, !after.isEmpty, !after.contains(where: { $0.hasPrefix("@") }) else {
            throw SQLQueryError.unsupported("The key path \(whole)")
        }
        var collection = collection
        collection.path.rest = after
        collection.omitsMissing = true
        return .collection(collection)
    }
}
