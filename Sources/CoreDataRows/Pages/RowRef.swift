// Safe: a page's rows don't change once others can see it.
/// One row of a page: the snapshot that an object or the row cache refers to.
@_spi(Engine) public struct RowRef: @unchecked Sendable {
    /// The page, which the reference keeps in memory with all its rows.
    @_spi(Engine) public let page: RowPage
    /// The row's index in the page.
    @_spi(Engine) public let row: Int

    /// Refers to a row of a page; the index isn't checked.
    @inlinable
    @_spi(Engine) public init(page: RowPage, row: Int) {
        self.page = page
        self.row = row
    }

    /// The identity of the row's object.
    @inlinable
    @_spi(Engine) public var key: ObjectKey { page.key(row) }
    /// The row's version as the store counts it (`Z_OPT` in a SQLite store), by which a save detects conflicts.
    @inlinable
    @_spi(Engine) public var version: Int64 { page.version(row) }
}

extension EntityLayout {
    /// Whether a row is one of the entity.
    ///
    /// A damaged file can say in one place that an object is of another entity than its row says, and so can the URI that
    /// a stranger gives. The row's page may lack slots that the object's entity has.
    package func canRead(_ row: RowRef) -> Bool { row.page.entityIndex(row.row) == index }

    /// All stored values of a row, by row slot; nulls where there is none.
    package func values(of row: RowRef?) -> ContiguousArray<FieldValue> {
        var values = ContiguousArray<FieldValue>(repeating: .null, count: rowSlotCount)
        guard let row else { return values }
        func copy(_ properties: [PropertyLayout]) {
            for property in properties {
                if property.rowSlot >= 0 { values[property.rowSlot] = row.page.value(row.row, property) }
                if !property.elements.isEmpty { copy(property.elements) }
            }
        }
        copy(properties)
        return values
    }
}
