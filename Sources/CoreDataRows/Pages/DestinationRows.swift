/// The destinations of a to-many relationship of many owners: their rows, and which owner each belongs to.
package struct DestinationRows {
    /// Each object's row once.
    package var pages: [RowPage] = []
    /// An owner's handle and the place of one of its destinations in the rows; those of one owner come in the
    /// relationship's order.
    package var pairs: [(owner: Int64, row: Int32)] = []

    package init(pages: [RowPage] = [], pairs: [(owner: Int64, row: Int32)] = []) {
        self.pages = pages
        self.pairs = pairs
    }
}
