import CoreDataSQL

/// How Apple's framework derives the names in a file from those in a model.
///
/// Names are upper-cased property and entity names behind a `Z`; no table of them is kept in the file, so writer
/// and reader have to derive the same ones. Seen in all fixtures.
enum SQLiteNaming {
    static let reflexive = "REFLEXIVE"

    static func table(ofRoot name: String) -> String {
        "Z" + part(name)
    }

    static func column(of property: String) -> String {
        "Z" + part(property)
    }

    /// The column beside a to-one's key that holds the destination's concrete entity.
    static func entityColumn(of relationship: String, destination: Int64) -> String {
        "Z\(destination)_" + part(relationship)
    }

    /// The column of the destination that holds the source of a to-many without inverse.
    static func oneWayColumn(of relationship: String, source: Int64) -> String {
        "Z\(source)" + part(relationship)
    }

    /// The column that orders the rows that have the same key in a column of a table or of a join table.
    static func orderColumn(beside keyColumn: String) -> String {
        let stem = keyColumn.hasPrefix("Z_") ? keyColumn.dropFirst(2) : keyColumn.dropFirst()
        return "Z_FOK_" + stem
    }

    /// A join table, or a column of one: the number of an entity and the name of a relationship.
    static func join(_ relationship: String, entity: Int64) -> String {
        "Z_\(entity)" + part(relationship)
    }

    private static func part(_ name: String) -> String { SQLIdentifier.part(name.uppercased()) }
}
