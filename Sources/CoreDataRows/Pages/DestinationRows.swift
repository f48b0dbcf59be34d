/// The rows of the objects that a to-many relationship of many owners leads to, and whose destinations they are.
package struct DestinationRows {
    /// Each object's row once.
    package var pages: [RowPage] = []
    /// An owner's handle and the place of one of its destinations in the rows; an owner's in the relationship's order.
    package var pairs: [(owner: Int64, row: Int32)] = []

    package init(pages: [RowPage] = [], pairs: [(owner: Int64, row: Int32)] = []) {
        self.pages = pages
        self.pairs = pairs
    }
}
