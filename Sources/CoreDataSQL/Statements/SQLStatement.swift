/// The whole of a statement: text, bindings and how its rows are read.
package struct SQLStatement: Equatable {
    package let fragment: SQLFragment

    package var sql: String { fragment.text }
    package var bindings: [SQLBinding] { fragment.bindings }

    package init(_ fragment: SQLFragment) {
        self.fragment = fragment
    }
}
