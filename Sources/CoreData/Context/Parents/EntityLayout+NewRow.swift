@_spi(Engine) import CoreDataRows

/// Rows that are made of values, and not read from a store.
extension EntityLayout {
    /// Makes a page of one row.
    func row(_ values: ContiguousArray<FieldValue>, _ key: ObjectKey, version: Int64) -> RowRef {
        let page = RowPage(model: model, slotCount: rowSlotCount, capacity: 1)
        page.appendRow(handle: key.handle, entityIndex: index, version: version)
        for property in storedLeaves { page.setValue(values[property.rowSlot], of: property) }
        return RowRef(page: page, row: 0)
    }

    /// Makes a page of one row for values that were read from a store whose place another one has taken.
    func row(
        _ values: ContiguousArray<FieldValue>, _ key: ObjectKey, version: Int64, _ exchange: StoreExchange
    ) -> RowRef {
        var values = values
        translate(&values, exchange)
        return row(values, key, version: version)
    }
}
