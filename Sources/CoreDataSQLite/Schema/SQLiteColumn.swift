/// One column of an entity table.
package struct SQLiteColumn: Sendable, Hashable {
    /// The name as it stands in the file, e.g. `ZFIRSTNAME`.
    package var name: String
    /// The type with which Apple declares it, which decides SQLite's affinity.
    package var declaredType: SQLiteDeclaredType

    package init(_ name: String, _ declaredType: SQLiteDeclaredType) {
        self.name = name
        self.declaredType = declaredType
    }
}
