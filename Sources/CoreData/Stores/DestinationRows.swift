/// The rows of the objects that a to-many relationship of many owners leads to, and whose destinations they are.
struct DestinationRows {
    /// Each object's row once.
    var pages: [RowPage] = []
    /// An owner's handle and the place of one of its destinations in the rows; an owner's in the relationship's order.
    var pairs: [(owner: Int64, row: Int32)] = []
}
