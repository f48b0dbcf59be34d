/// One row of a page: the snapshot that an object or the row cache refers to.
package struct RowRef: @unchecked Sendable {
    package let page: RowPage
    package let row: Int

    package init(page: RowPage, row: Int) {
        self.page = page
        self.row = row
    }

    package var key: ObjectKey { page.key(row) }
    package var version: Int64 { page.version(row) }
}
