/// One column of an entity table.
struct SQLiteColumn: Sendable, Hashable {
    /// The name as it stands in the file, e.g. `ZFIRSTNAME`.
    var name: String
    /// The type with which Apple declares it, which decides SQLite's affinity.
    var declaredType: SQLiteDeclaredType

    init(_ name: String, _ declaredType: SQLiteDeclaredType) {
        self.name = name
        self.declaredType = declaredType
    }
}
