import CoreDataSQL

/// An R-tree over number columns of an entity, kept up to date by triggers (all text as seen in Photos stores).
struct SQLiteRTree: Sendable {
    let name: String
    /// The name of the fetch index.
    let index: String
    let table: String
    let columns: [String]

    init(index: String, entity: SQLiteEntity, columns: [String]) {
        name = SQLIdentifier.part(SQLiteName.locationIndexPrefix + "\(entity.name)_\(index)")
        self.index = index
        table = entity.table
        self.columns = columns
    }

    private var bounds: [SQLFragment] { columns.flatMap { [.declared("\($0)_MIN"), .declared("\($0)_MAX")] } }

    var createStatement: SQLFragment {
        let declared = bounds.map { ", \($0) FLOAT" as SQLFragment }.joined(separator: "")
        return "CREATE VIRTUAL TABLE \(.declared(name)) USING RTREE (\(.key) INTEGER PRIMARY KEY\(declared))"
    }

    var statements: [SQLFragment] {
        let names = bounds.map { ", \($0)" as SQLFragment }.joined(separator: "")
        // The odd space is Apple's.
        let values = columns.enumerated().map { place, name -> SQLFragment in
            let column = SQLFragment.declared(name)
            return place == 0 ? ", NEW.\(column) ,NEW.\(column)" : ", NEW.\(column), NEW.\(column)"
        }.joined(separator: "")
        let insertion: SQLFragment = "INTO \(.declared(name)) (\(.key)\(names)) VALUES (NEW.\(.key)\(values)) ;"
        return [
            createStatement,
            "CREATE TRIGGER \(.declared("\(name)_INSERT")) AFTER INSERT ON \(.declared(table)) FOR EACH ROW BEGIN INSERT OR REPLACE \(insertion) END",
            "CREATE TRIGGER \(.declared("\(name)_UPDATE")) AFTER UPDATE ON \(.declared(table)) FOR EACH ROW BEGIN "
                + "DELETE FROM \(.declared(name)) WHERE \(.key) = NEW.\(.key) ; INSERT \(insertion) END",
            "CREATE TRIGGER \(.declared("\(name)_DELETE")) AFTER DELETE ON \(.declared(table)) FOR EACH ROW BEGIN "
                + "DELETE FROM \(.declared(name)) WHERE \(.key) = OLD.\(.key) ; END",
        ]
    }

    /// Takes the rows in that are there already.
    var fillStatement: SQLFragment {
        let names = bounds.joined(separator: ", ")
        let values = columns.map(SQLFragment.declared).flatMap { [$0, $0] }.joined(separator: ", ")
        return "INSERT INTO \(.declared(name)) (\(.key), \(names)) SELECT \(.key), \(values) FROM \(.declared(table))"
    }
}
