/// The whole of a statement: text, bindings and how its rows are read.
package struct SQLStatement: Equatable {
    package let sql: String
    package let bindings: [SQLBinding]

    package init(_ fragment: SQLFragment) {
        sql = fragment.text
        bindings = fragment.bindings
    }
}
