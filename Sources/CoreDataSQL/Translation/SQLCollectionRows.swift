/// The rows of a to-many, as a subquery inside the statement that has its owner.
struct SQLCollectionRows {
    /// Translates what is said of the elements.
    let translator: SQLTranslator
    /// Translates the condition of a `SUBQUERY`, in which key paths without a variable start at the outer object.
    private let filterTranslator: SQLTranslator
    private let collection: SQLCollection
    private let scope: SQLScope
    /// How an element's row is found from the owner's key.
    private let link: Link

    private enum Link {
        case foreignKey(SQLFragment)
        case join(table: SQLFragment, on: SQLFragment, owner: SQLFragment)
        /// A relationship that is its own inverse: a pair of keys says both directions.
        case reflexive(SQLJoin)
    }

    init(_ collection: SQLCollection, seenFrom outer: SQLTranslator) throws {
        self.collection = collection
        let path = collection.path
        let scope = try SQLScope(entity: path.destination, inside: outer.scope)
        self.scope = scope
        translator = outer.entering(scope)
        filterTranslator = collection.filter.map { outer.binding($0.variable, to: scope) } ?? outer
        guard let relationship = path.relationship else {
            link = .foreignKey(scope.primaryKey)
            return
        }
        guard let toMany = try scope.schema.toMany(relationship) else {
            throw SQLQueryError.noColumn(relationship)
        }
        switch toMany {
        case .foreignKey(let key):
            link = .foreignKey(scope.dialect.column(key.column, of: scope.alias))
        case .join(let join) where join.isReflexive:
            link = .reflexive(join)
        case .join(let join):
            let alias = scope.freshAlias()
            link = .join(
                table: "\(scope.dialect.table(join.table)) \(raw: alias)",
                on: "\(scope.dialect.column(join.destinationColumn, of: alias)) = \(scope.primaryKey)",
                owner: scope.dialect.column(join.sourceColumn, of: alias))
        }
    }

    /// A `SELECT` over the elements of the owner that meet the `SUBQUERY`'s condition and the given one.
    func select(_ result: SQLFragment, where condition: SQLCondition = .always) throws -> SQLFragment {
        let filter = try collection.filter.map { try filterTranslator.condition($0.predicate) } ?? .always
        let conditions = SQLCondition.all([filter, condition])
        // The source comes last: translating the conditions may have added joins to it.
        var source = scope.source
        let owner = collection.path.ownerKey
        let isElement: SQLFragment
        switch link {
        case .foreignKey(let column):
            isElement = "\(column) = \(owner)"
        case .join(let table, let on, let column):
            source = "\(table) JOIN \(scope.table) ON \(on)\(scope.joinClause)"
            isElement = "\(column) = \(owner)"
        case .reflexive(let join):
            isElement = "\(scope.primaryKey) IN (\(Self.partners(of: owner, in: join, scope.dialect)))"
        }
        let rest: SQLFragment = conditions == .always ? "" : " AND (\(scope.dialect.condition(conditions)))"
        return "SELECT \(result) FROM \(source) WHERE \(isElement)\(rest)"
    }

    /// Whether there is an element that meets the conditions.
    func exists(where condition: SQLCondition) throws -> SQLCondition {
        condition == .never ? .never : .sql("EXISTS (\(try select("1", where: condition)))")
    }

    /// The keys that stand beside a key in the pairs of a relationship that is its own inverse.
    static func partners(of key: SQLFragment, in join: SQLJoin, _ dialect: SQLDialect) -> SQLFragment {
        let table = dialect.table(join.table)
        let one = dialect.name(join.sourceColumn)
        let other = dialect.name(join.destinationColumn)
        return
            "SELECT \(other) FROM \(table) WHERE \(one) = \(key) UNION SELECT \(one) FROM \(table) WHERE \(other) = \(key)"
    }

    /// The value of an aggregate over the elements; null where the path to the owner met nil, as in memory.
    func scalar(selecting result: SQLFragment) throws -> SQLFragment {
        let subquery: SQLFragment = "(\(try select(result)))"
        guard collection.path.ownerIsOptional else { return subquery }
        return "(CASE WHEN \(collection.path.ownerKey) IS NULL THEN NULL ELSE \(subquery) END)"
    }
}
