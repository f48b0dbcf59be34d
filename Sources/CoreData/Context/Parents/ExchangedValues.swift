@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// The values of objects and rows when another store has taken the place of theirs: they refer to rows by the identities that these have
/// in the new one.
extension NSManagedObject {
    /// Replaces the identities in the object's own row by the new ones.
    final func translate(_ exchange: StoreExchange) {
        guard let state else { return }
        layout.translate(&state.current, exchange)
        if case .row(var values) = state.eventBase {
            layout.translate(&values, exchange)
            state.eventBase = .row(values)
        }
    }
}

extension EntityLayout {
    fileprivate func translate(_ values: inout ContiguousArray<FieldValue>, _ exchange: StoreExchange) {
        if values.isEmpty { return }
        for property in relationships where property.rowSlot >= 0 {
            guard case .reference(let key) = values[property.rowSlot], key.handle != StoreRowBuilder.unread,
                !TemporaryIdentity.isTemporary(key.handle)
            else { continue }
            values[property.rowSlot] = exchange[key].map { .reference($0) } ?? .null
        }
    }

    /// Makes a page of one row for values that were read from the old store.
    func row(
        _ values: ContiguousArray<FieldValue>, _ key: ObjectKey, version: Int64, _ exchange: StoreExchange
    ) -> RowRef {
        var values = values
        translate(&values, exchange)
        return row(values, key, version: version)
    }
}
