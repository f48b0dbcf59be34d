@_spi(Engine) import CoreDataRows
import CoreDataSQL

extension SQLHistoryTables {
    /// Apple's tables.
    ///
    /// - Parameter hasStrings: whether texts are kept once, in a table of their own, as since macOS 10.14.
    init(_ schema: SQLiteSchema, hasStrings: Bool) {
        self.init(
            dialect: .sqlite, transactions: "\(.transactionTable)", transactionKey: "\(.key)",
            timestamp: "\(.timestamp)",
            changes: "\(.changeTable)", changeKey: "\(.key)", changeTransaction: "\(.transactionOfChange)",
            changeType: "\(.changeType)", changeEntity: "\(.changedEntity)", changeObject: "\(.changedKey)",
            condition: { Self.condition($0, isEqual: $1, $2, hasStrings: hasStrings) },
            entityNumber: { name in
                schema.model.entity(named: name).flatMap { schema.entities[$0.index] }?.number
            })
    }

    private static func column(_ text: Text) -> SQLiteName {
        switch text {
        case .author: .author
        case .context: .context
        case .bundle: .bundle
        case .process: .process
        }
    }

    private static func condition(_ kind: Text, isEqual: Bool, _ text: String?, hasStrings: Bool) -> SQLCondition {
        let plain = SQLFragment.column(column(kind).rawValue, of: "t0")
        let number = SQLFragment.column(column(kind).ofSharedText, of: "t0")
        if isEqual, let text, !text.isEmpty, hasStrings {
            return .sql(
                """
                \(plain) = \(bind: .text(text)) OR \
                \(number) IN (SELECT \(.key) FROM \(.textTable) WHERE \(.sharedText) = \(bind: .text(text)))
                """)
        }
        let kept: SQLFragment = "(SELECT \(.sharedText) FROM \(.textTable) WHERE \(.key) = \(number))"
        var found = hasStrings ? "IFNULL(\(plain), \(kept))" as SQLFragment : plain
        if kind.isRequired { found = "IFNULL(\(found), '')" }
        let wanted = text.map { SQLBinding.text($0) } ?? .null
        return .sql(isEqual ? "\(found) IS \(bind: wanted)" : "\(found) IS NOT \(bind: wanted)")
    }
}
