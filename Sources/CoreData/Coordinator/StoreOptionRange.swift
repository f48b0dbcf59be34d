/// Which options a class of stores goes by.
enum StoreOptionRange {
    /// Options of its own, which only the class can check.
    case own
    /// What every kind of store goes by.
    case general
    /// These, and what takes a database.
    case database
}
