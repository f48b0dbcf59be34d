/// Who does the work.
enum Side: String, CaseIterable, Codable {
    /// SQLite's C interface, with prepared statements.
    case plain
    /// GRDB with Codable records.
    case records
    /// This package.
    case coreData

    var title: String {
        switch self {
        case .plain: "SQLite C"
        case .records: "GRDB"
        case .coreData: "Core Data"
        }
    }
}
