@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// The triggers that keep a derived attribute up to date.
///
/// Two kinds of derivation were seen with triggers in stores: the number of objects in a one-to-many (SampleModel2) and an
/// attribute across a to-one (Photos, ChatModel); theirs are Apple's to the letter. Those of sums, of many-to-many
/// relationships and of longer paths are our choice, made in the same way. What needs code of ours, `now()` and
/// `canonical:` and its kind, has no triggers, as another program couldn't run them: see ``SQLiteUntriggeredValues``.
struct SQLiteDerivationTriggers {
    /// The SQL functions that the triggers call. Each connection that writes has to have them; their results aren't used.
    static let functions = [
        "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        "NSCoreDataTriggerUpdateAffectedObjectValue",
    ]

    private let entity: SQLiteEntity
    private let attribute: String
    private let column: String

    /// The trigger statements of the attributes that an entity derives itself.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for a derivation that the store can't keep up.
    static func statements(of entity: SQLiteEntity, in schema: SQLiteSchema) throws -> [SQLFragment] {
        try entity.layout.ownProperties.flatMap { property -> [SQLFragment] in
            guard property.property is NSDerivedAttributeDescription, let column = entity.column(of: property)?.name
            else {
                return []
            }
            let derived = SQLiteDerivationTriggers(entity: entity, attribute: property.name, column: column)
            guard let derivation = SQLDerivation(property, of: entity.layout),
                let statements = derived.statements(derivation, in: schema)
            else { throw unsupported(property) }
            return statements
        }
    }

    /// The statements that compute the derived attributes of the rows that are there already, as triggers only see changes:
    /// they do what the trigger for a new row does.
    ///
    /// - Parameter isCurrent: whether an attribute's values are right as they are.
    static func computations(
        of entity: SQLiteEntity, in schema: SQLiteSchema, except isCurrent: (PropertyLayout) -> Bool
    ) -> [SQLFragment] {
        entity.layout.properties.compactMap { property -> SQLFragment? in
            guard let column = entity.column(of: property)?.name,
                let derivation = SQLDerivation(property, of: entity.layout), !isCurrent(property)
            else { return nil }
            let derived = SQLiteDerivationTriggers(entity: entity, attribute: property.name, column: column)
            let name = derived.name(entity.table, "SOURCE_INSERT")
            let triggers = (derived.statements(derivation, in: schema) ?? []).map(\.text)
            guard let trigger = triggers.first(where: { $0.hasPrefix("CREATE TRIGGER " + name + " ") }),
                let begin = trigger.firstRange(of: " SET " + column + " = "),
                let end = trigger.firstRange(
                    of: " WHERE \(SQLiteName.key.rawValue) = NEW.\(SQLiteName.key.rawValue); SELECT ")
            else { return nil }
            let value = trigger[begin.upperBound..<end.lowerBound].replacing("NEW.", with: "o.")
            return """
                UPDATE \(.name(entity.table)) AS o SET \(.name(column)) = \(.definition(String(value))) \
                WHERE o.\(.entity) = \(bind: .int(entity.number))
                """
        }
    }

    private static func unsupported(_ property: PropertyLayout) -> any Error {
        let expression = (property.property as? NSDerivedAttributeDescription)?.derivationExpression
        return SQLiteStoreError.schema(
            "\(property.owner.name).\(property.name) can't be derived by a SQLite store: "
                + (expression.map { "\($0)" } ?? "it has no derivation expression"))
    }

    /// Whether the store computes an attribute, so that saves mustn't write it.
    static func isKeptByStore(_ property: PropertyLayout, of entity: SQLiteEntity) -> Bool {
        guard let derivation = SQLDerivation(property, of: entity.layout) else { return false }
        switch derivation {
        case .count(let relationship), .sum(let relationship, _): return entity.toMany(relationship) != nil
        case .path, .text, .now: return true
        }
    }

    private func statements(_ derivation: SQLDerivation, in schema: SQLiteSchema) -> [SQLFragment]? {
        switch derivation {
        case .count(let relationship):
            switch entity.toMany(relationship) {
            case .foreignKey(let key): return countStatements(key)
            case .join(let join) where !join.isReflexive:
                return joinStatements(
                    join,
                    value: {
                        "(SELECT COUNT(*) FROM \(.declared(join.table)) WHERE \(.declared(join.sourceColumn)) = \($0))"
                    })
            default: return nil
            }
        case .sum(let relationship, let attribute):
            guard let destination = relationship.destination.flatMap({ schema.entities[$0.index] }),
                let summed = destination.column(of: attribute)?.name
            else { return nil }
            switch entity.toMany(relationship) {
            case .foreignKey(let key):
                return sumStatements(key, summed, isExact: SQLValueType(attribute)?.isInteger ?? false)
            case .join(let join) where !join.isReflexive:
                return sumStatements(join, of: summed, in: destination.table)
            default: return nil
            }
        case .path(let path): return SQLiteDerivedPath(path, from: entity, in: schema).map(pathStatements)
        case .text, .now: return []
        }
    }

    private func name(_ table: String, _ event: String) -> String {
        SQLIdentifier.part("Z_DA_\(table)_\(entity.name)_\(attribute)_\(event)")
    }

    /// Reports to the framework which row changed.
    private func notification(_ row: SQLFragment, isInsert: Bool) -> SQLFragment {
        let function = SQLFragment.function(Self.functions[isInsert ? 1 : 0])
        let (table, attribute) = (SQLFragment.literal(entity.table), SQLFragment.literal(attribute))
        return """
            SELECT \(function)(\(table), \(.entity), \(.key), \(attribute), \(.declared(column))) \
            FROM \(.declared(entity.table)) WHERE \(row)
            """
    }

    private func trigger(
        _ table: String, _ event: String, after: SQLFragment, when: SQLFragment = "", set: SQLFragment,
        row: SQLFragment, isInsert: Bool = false
    ) -> SQLFragment {
        """
        CREATE TRIGGER \(.declared(name(table, event))) AFTER \(after) ON \(.declared(table)) FOR EACH ROW \(when)BEGIN \
        UPDATE \(.declared(entity.table)) SET \(.declared(column)) = \(set) WHERE \(row); \
        \(notification(row, isInsert: isInsert)); END
        """
    }

    // MARK: Counts and sums

    private func countStatements(_ key: SQLForeignKey) -> [SQLFragment] {
        let new: SQLFragment = "WHEN (NEW.\(.declared(key.column)) NOT NULL) "
        let old: SQLFragment = "WHEN (OLD.\(.declared(key.column)) NOT NULL) "
        let newRow: SQLFragment = "\(.key) = NEW.\(.declared(key.column))"
        let oldRow: SQLFragment = "\(.key) = OLD.\(.declared(key.column))"
        return [
            trigger(
                key.table, "PARAMETER_INSERT", after: "INSERT", when: new, set: "IFNULL(\(.declared(column)), 0) + 1",
                row: newRow),
            trigger(
                key.table, "PARAMETER_UPDATE_INCREMENT", after: "UPDATE OF \(.declared(key.column))", when: new,
                set: "\(.declared(column)) + 1", row: newRow),
            trigger(
                key.table, "PARAMETER_UPDATE_DECREMENT", after: "UPDATE OF \(.declared(key.column))", when: old,
                set: "\(.declared(column)) - 1", row: oldRow),
            trigger(
                key.table, "PARAMETER_DELETE", after: "DELETE", when: old, set: "\(.declared(column)) - 1", row: oldRow),
            trigger(
                entity.table, "SOURCE_INSERT", after: "INSERT",
                set:
                    """
                    (SELECT IFNULL(COUNT(\(.declared(key.column))), 0) FROM \(.declared(key.table)) \
                    WHERE \(.declared(key.column)) = NEW.\(.key))
                    """,
                row: "\(.key) = NEW.\(.key)", isInsert: true),
        ]
    }

    /// Sums of integers are counted up and down; others are added up anew, as differences of fractions would add up errors.
    private func sumStatements(_ key: SQLForeignKey, _ summed: String, isExact: Bool) -> [SQLFragment] {
        func sum(_ owner: SQLFragment) -> SQLFragment {
            "(SELECT IFNULL(SUM(\(.declared(summed))), 0) FROM \(.declared(key.table)) WHERE \(.declared(key.column)) = \(owner))"
        }
        func step(_ sign: SQLFragment, _ row: SQLFragment) -> SQLFragment {
            isExact
                ? "IFNULL(\(.declared(column)), 0) \(sign) IFNULL(\(row).\(.declared(summed)), 0)"
                : sum("\(row).\(.declared(key.column))")
        }
        let new: SQLFragment = "WHEN (NEW.\(.declared(key.column)) NOT NULL) "
        let old: SQLFragment = "WHEN (OLD.\(.declared(key.column)) NOT NULL) "
        let newRow: SQLFragment = "\(.key) = NEW.\(.declared(key.column))"
        let oldRow: SQLFragment = "\(.key) = OLD.\(.declared(key.column))"
        let update: SQLFragment = "UPDATE OF \(.declared(key.column)), \(.declared(summed))"
        return [
            trigger(key.table, "PARAMETER_INSERT", after: "INSERT", when: new, set: step("+", "NEW"), row: newRow),
            trigger(
                key.table, "PARAMETER_UPDATE_INCREMENT", after: update, when: new, set: step("+", "NEW"), row: newRow),
            trigger(
                key.table, "PARAMETER_UPDATE_DECREMENT", after: update, when: old, set: step("-", "OLD"), row: oldRow),
            trigger(key.table, "PARAMETER_DELETE", after: "DELETE", when: old, set: step("-", "OLD"), row: oldRow),
            trigger(
                entity.table, "SOURCE_INSERT", after: "INSERT", set: sum("NEW.\(.key)"), row: "\(.key) = NEW.\(.key)",
                isInsert: true),
        ]
    }

    private func sumStatements(_ join: SQLJoin, of summed: String, in tableName: String) -> [SQLFragment] {
        let table = SQLFragment.declared(tableName)
        let pairs: SQLFragment =
            "\(.declared(join.table)) JOIN \(table) ON \(table).\(.key) = \(.declared(join.destinationColumn))"
        let value = { (owner: SQLFragment) -> SQLFragment in
            "(SELECT IFNULL(SUM(\(table).\(.declared(summed))), 0) FROM \(pairs) WHERE \(.declared(join.sourceColumn)) = \(owner))"
        }
        let owners: SQLFragment =
            """
            \(.key) IN (SELECT \(.declared(join.sourceColumn)) FROM \(.declared(join.table)) \
            WHERE \(.declared(join.destinationColumn)) = NEW.\(.key))
            """
        let own: SQLFragment = "\(.declared(entity.table)).\(.key)"
        return joinStatements(join, value: value) + [
            trigger(
                tableName, "PARAMETER_UPDATE", after: "UPDATE OF \(.declared(summed))", set: value(own), row: owners),
            // A pair may be written before the object that it leads to.
            trigger(tableName, "PARAMETER_INSERT", after: "INSERT", set: value(own), row: owners, isInsert: true),
        ]
    }

    /// What a pair in a join table changes at the owner.
    private func joinStatements(_ join: SQLJoin, value: (SQLFragment) -> SQLFragment) -> [SQLFragment] {
        let new: SQLFragment = "NEW.\(.declared(join.sourceColumn))"
        let old: SQLFragment = "OLD.\(.declared(join.sourceColumn))"
        return [
            trigger(join.table, "PARAMETER_INSERT", after: "INSERT", set: value(new), row: "\(.key) = \(new)"),
            trigger(join.table, "PARAMETER_DELETE", after: "DELETE", set: value(old), row: "\(.key) = \(old)"),
            trigger(
                entity.table, "SOURCE_INSERT", after: "INSERT", set: value("NEW.\(.key)"), row: "\(.key) = NEW.\(.key)",
                isInsert: true),
        ]
    }

    // MARK: Paths

    private func pathStatements(_ path: SQLiteDerivedPath) -> [SQLFragment] {
        let ownRow: SQLFragment = "\(.key) = NEW.\(.key)"
        guard let firstKey = path.keys.first else {
            return [
                trigger(
                    entity.table, "SOURCE_INSERT", after: "INSERT", set: "NEW.\(.declared(path.column))", row: ownRow,
                    isInsert: true),
                trigger(
                    entity.table, "SOURCE_UPDATE", after: "UPDATE OF \(.declared(path.column))",
                    set: "NEW.\(.declared(path.column))",
                    row: ownRow),
            ]
        }
        let selection = path.value(from: 1, key: "NEW.\(.declared(firstKey))")
        var statements = [
            trigger(entity.table, "SOURCE_INSERT", after: "INSERT", set: selection, row: ownRow, isInsert: true),
            trigger(
                entity.table, "SOURCE_UPDATE", after: "UPDATE OF \(.declared(firstKey))", set: selection, row: ownRow),
        ]
        for step in 1..<path.tables.count {
            let isLast = step == path.tables.count - 1
            let source = isLast ? path.column : path.keys[step]
            let value: SQLFragment =
                isLast ? "NEW.\(.declared(source))" : path.value(from: step + 1, key: "NEW.\(.declared(source))")
            let rows = path.leads(to: "= NEW.\(.key)", at: step)
            // One path may go through a table more than once.
            let place = path.tables.count == 2 ? "" : "_\(step)"
            statements += [
                trigger(
                    path.tables[step], "PARAMETER_INSERT\(place)", after: "INSERT", set: value, row: rows,
                    isInsert: true),
                trigger(
                    path.tables[step], "PARAMETER_UPDATE\(place)", after: "UPDATE OF \(.declared(source))", set: value,
                    row: rows),
            ]
        }
        return statements
    }
}
