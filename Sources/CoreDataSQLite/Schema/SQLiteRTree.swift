import CoreDataSQL

/// An R-tree over number columns of an entity, kept up to date by triggers (all text as seen in Photos stores).
struct SQLiteRTree: Sendable {
    let name: String
    /// The name of the fetch index.
    let index: String
    let table: String
    let columns: [String]

    init(index: String, entity: SQLiteEntity, columns: [String]) {
        name = SQLIdentifier.part("Z_RT_\(entity.name)_\(index)")
        self.index = index
        table = entity.table
        self.columns = columns
    }

    private var bounds: [String] { columns.flatMap { ["\($0)_MIN", "\($0)_MAX"] } }

    var createStatement: String {
        let declared = bounds.map { ", \($0) FLOAT" }.joined()
        return "CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY\(declared))"
    }

    var statements: [String] {
        let names = bounds.map { ", \($0)" }.joined()
        // The odd space is Apple's.
        let values = columns.enumerated().map { place, column in
            place == 0 ? ", NEW.\(column) ,NEW.\(column)" : ", NEW.\(column), NEW.\(column)"
        }.joined()
        let insertion = "INTO \(name) (Z_PK\(names)) VALUES (NEW.Z_PK\(values)) ;"
        return [
            createStatement,
            "CREATE TRIGGER \(name)_INSERT AFTER INSERT ON \(table) FOR EACH ROW BEGIN INSERT OR REPLACE \(insertion) END",
            "CREATE TRIGGER \(name)_UPDATE AFTER UPDATE ON \(table) FOR EACH ROW BEGIN "
                + "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT \(insertion) END",
            "CREATE TRIGGER \(name)_DELETE AFTER DELETE ON \(table) FOR EACH ROW BEGIN "
                + "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ; END",
        ]
    }

    /// Takes the rows in that are there already.
    var fillStatement: String {
        let names = bounds.joined(separator: ", ")
        let values = columns.flatMap { [$0, $0] }.joined(separator: ", ")
        return "INSERT INTO \(name) (Z_PK, \(names)) SELECT Z_PK, \(values) FROM \(table)"
    }
}
