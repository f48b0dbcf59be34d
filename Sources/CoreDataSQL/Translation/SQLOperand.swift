@_spi(Engine) import CoreDataRows
import FoundationCompat

@_exported import class FoundationCompat.NSPredicate

/// One side of a comparison, or an argument of a function.
package enum SQLOperand {
    /// A value that is known before the statement runs. It is bound when the other side says of what type.
    case constant(Any?)
    /// A value of each row.
    case scalar(SQLFragment, SQLValueType)
    /// The values of a to-many.
    case collection(SQLCollection)
    /// The results of a subfetch: a `SELECT` of one column.
    case rows(SQLFragment, SQLValueType)
    /// Several operands, as in `{1, x}` or `BETWEEN {a, b}`.
    case list([SQLOperand])
}

/// The rows that a to-many, or a `SUBQUERY` over one, ranges over, and the keys that are applied to each.
package struct SQLCollection {
    package var path: SQLToManyPath
    /// The condition of a `SUBQUERY`, with the name of its variable.
    package var filter: (variable: String, predicate: NSPredicate)?
    /// Whether missing values are left out, as the union operators do.
    var omitsMissing = false

    /// The keys from the to-many on, for messages.
    package var keyPath: String { ([path.relationship?.name ?? "self"] + path.rest).joined(separator: ".") }
}
