/// The whole of a statement: text, bindings and how its rows are read.
struct SQLStatement: Equatable {
    let sql: String
    let bindings: [SQLBinding]

    init(_ fragment: SQLFragment) {
        sql = fragment.text
        bindings = fragment.bindings
    }
}
