@_spi(Engine) import CoreDataRows
import Foundation

/// How a database's tables of persistent history are called: names as they stand in a statement.
package struct SQLHistoryTables {
    /// What a transaction says of who made it.
    package enum Text {
        case author, context, bundle, process

        /// Whether every transaction has it.
        package var isRequired: Bool { self == .bundle || self == .process }
    }

    package var dialect: SQLDialect
    package var transactions: SQLFragment
    package var transactionKey: SQLFragment
    package var timestamp: SQLFragment
    package var changes: SQLFragment
    package var changeKey: SQLFragment
    package var changeTransaction: SQLFragment
    package var changeType: SQLFragment
    package var changeEntity: SQLFragment
    package var changeObject: SQLFragment
    /// Whether a text of the transaction under the alias t0 is equal to another one, or isn't; nil is a text that is missing.
    package var condition: (Text, _ isEqual: Bool, String?) -> SQLCondition
    /// The number of the entity with that name; nil where the store hasn't it.
    package var entityNumber: (String) -> Int64?

    package init(
        dialect: SQLDialect, transactions: SQLFragment, transactionKey: SQLFragment, timestamp: SQLFragment,
        changes: SQLFragment,
        changeKey: SQLFragment, changeTransaction: SQLFragment, changeType: SQLFragment, changeEntity: SQLFragment,
        changeObject: SQLFragment, condition: @escaping (Text, Bool, String?) -> SQLCondition,
        entityNumber: @escaping (String) -> Int64?
    ) {
        self.dialect = dialect
        self.transactions = transactions
        self.transactionKey = transactionKey
        self.timestamp = timestamp
        self.changes = changes
        self.changeKey = changeKey
        self.changeTransaction = changeTransaction
        self.changeType = changeType
        self.changeEntity = changeEntity
        self.changeObject = changeObject
        self.condition = condition
        self.entityNumber = entityNumber
    }

    /// The numbers of the transactions that meet a condition over the alias t0.
    package func numbers(of condition: SQLCondition) -> SQLFragment {
        "SELECT t0.\(transactionKey) FROM \(transactions) t0\(clause(condition))"
    }

    package func clause(_ condition: SQLCondition) -> SQLFragment {
        SQLStatementBuilder.whereClause(condition, dialect)
    }
}
