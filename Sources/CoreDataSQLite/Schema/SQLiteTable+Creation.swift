@_spi(Engine) import CoreDataRows
import CoreDataSQL

extension SQLiteTable {
    /// `CREATE TABLE` of an entity and of everything below it, as Apple's framework writes it, spaces included.
    var createStatement: SQLFragment {
        let declared = columns.map { ", \(.declared($0.name)) \(.word($0.declaredType.rawValue))" as SQLFragment }
            .joined(separator: "")
        return
            "CREATE TABLE \(.declared(name)) ( \(.key) INTEGER PRIMARY KEY, \(.entity) INTEGER, \(.version) INTEGER\(declared) )"
    }
}

extension SQLiteJoinTable {
    /// `CREATE TABLE` of a many-to-many relationship.
    var createStatement: SQLFragment {
        let columns = ([first, second] + orderColumns).map { "\(.declared($0)) INTEGER" as SQLFragment }.joined(
            separator: ", ")
        return "CREATE TABLE \(.declared(name)) ( \(columns), PRIMARY KEY (\(.declared(first)), \(.declared(second))) )"
    }
}
