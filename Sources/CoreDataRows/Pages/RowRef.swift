// Safe: a page's rows don't change once others can see it.
/// One row of a page: the snapshot that an object or the row cache refers to.
@_spi(Engine) public struct RowRef: @unchecked Sendable {
    @_spi(Engine) public let page: RowPage
    @_spi(Engine) public let row: Int

    @inlinable
    @_spi(Engine) public init(page: RowPage, row: Int) {
        self.page = page
        self.row = row
    }

    @inlinable
    @_spi(Engine) public var key: ObjectKey { page.key(row) }
    @inlinable
    @_spi(Engine) public var version: Int64 { page.version(row) }
}

extension EntityLayout {
    /// Whether a row is one of the entity, or of one below it.
    ///
    /// A damaged file can say in one place that an object is of another entity than its row says, and the row's page then
    /// lacks slots that the object's entity has.
    package func canRead(_ row: RowRef) -> Bool {
        (index...lastDescendantIndex).contains(row.page.entityIndex(row.row))
    }

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
