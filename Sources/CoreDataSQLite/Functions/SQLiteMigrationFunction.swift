/// The names of the functions that a migration in place registers for its own statements.
enum SQLiteMigrationFunction {
    static let tag = "CoreDataTaggedData"
    static let untag = "CoreDataUntaggedData"
    static let historyEntity = "CoreDataHistoryEntity"
    static let historyColumns = "CoreDataHistoryColumns"

    static let all = [tag, untag, historyEntity, historyColumns]
}
