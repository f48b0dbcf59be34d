import FoundationCompat

@_exported import class FoundationCompat.NSComparisonPredicate

extension SQLTranslator {
    /// ANY, or ALL as "there is none that doesn't".
    func quantified(
        _ left: SQLOperand, _ right: SQLOperand, _ predicate: NSComparisonPredicate, negating: Bool
    ) throws -> SQLCondition {
        let comparison = SQLComparison(predicate)
        func test(_ translator: SQLTranslator, _ element: SQLOperand) throws -> SQLCondition {
            let condition = try translator.compare(element, right, comparison)
            return negating ? condition.negated : condition
        }
        let found: SQLCondition
        switch left {
        case .collection(let collection):
            found = try anyValue(of: collection, satisfies: test)
        case .list(let elements):
            found = .any(try elements.map { try test(self, $0) })
        case .constant(let value):
            let elements = SQLConstantCollection.elements(of: value) ?? [value as Any]
            found = .any(try elements.map { try test(self, .constant($0)) })
        case .scalar, .rows:
            found = try test(self, left)
        }
        return negating ? found.negated : found
    }

    /// Whether the test holds for any of the values at the end of a collection's path, missing ones included.
    ///
    /// Where the keys behind the to-many lead over further to-manys, their elements are meant. A path that ends early,
    /// at a to-one without destination, leads to one missing value.
    package func anyValue(
        of collection: SQLCollection, satisfies test: (SQLTranslator, SQLOperand) throws -> SQLCondition
    ) throws -> SQLCondition {
        let rows = try SQLCollectionRows(collection, seenFrom: self)
        let value = try rows.translator.keyPath(collection.path.rest)
        var condition: SQLCondition
        if case .collection(let nested) = value {
            condition = try rows.translator.deeper().anyValue(of: nested, satisfies: test)
        } else {
            condition = try test(rows.translator, value)
        }
        if collection.omitsMissing, case .scalar(let sql, _) = value {
            condition = .all([condition, .sql("\(sql) IS NOT NULL")])
        }
        let found = try rows.exists(where: condition)
        guard collection.path.ownerIsOptional else { return found }
        let missing = try test(self, .constant(nil))
        return .any([found, .all([.sql("\(collection.path.ownerKey) IS NULL"), missing])])
    }

    /// Whether a value is among those that the objects of a collection have at the end of its path.
    package func isMember(
        of collection: SQLCollection, _ test: (SQLTranslator, SQLOperand) throws -> SQLCondition
    ) throws -> SQLCondition {
        let rows = try SQLCollectionRows(collection, seenFrom: self)
        let value = try rows.translator.keyPath(collection.path.rest)
        guard case .scalar(let sql, _) = value else {
            throw SQLQueryError.unsupported(
                "IN the key path \(collection.keyPath)", because: "it has more than one to-many")
        }
        let condition = try test(rows.translator, value)
        // Key-value coding over a set leaves out the elements that have no value.
        guard !collection.path.rest.isEmpty else { return try rows.exists(where: condition) }
        return try rows.exists(where: .all([condition, .sql("\(sql) IS NOT NULL")]))
    }
}
