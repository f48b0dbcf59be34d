/// Who does the work.
enum Side: String, CaseIterable, Codable {
    /// SQLite's C interface, with prepared statements.
    case plain
    /// GRDB with Codable records.
    case records
    /// GRDB with records that read rows by place and say their columns themselves, as its documentation advises for speed.
    case fastRecords
    /// This package.
    case coreData

    var title: String {
        switch self {
        case .plain: "SQLite C"
        case .records: "GRDB Codable"
        case .fastRecords: "GRDB by hand"
        case .coreData: "Core Data"
        }
    }
}
