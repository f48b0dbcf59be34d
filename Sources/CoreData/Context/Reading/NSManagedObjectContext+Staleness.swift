@_spi(Engine) import CoreDataRows
import Foundation

/// Which values that were read may be used again, rather than asking the store (Apple: `stalenessInterval`).
extension NSManagedObjectContext {
    @inline(__always)
    func isStale(_ page: RowPage) -> Bool { stalenessInterval >= 0 && page.age >= stalenessInterval }

    /// The newest row of an object that was read, unless it is stale.
    ///
    /// - Parameter known: the row that the object has, for where the cache has none.
    func rowInMemory(of object: ObjectIdentity, known: RowRef?, in store: NSPersistentStore) -> RowRef? {
        switch rowCache(of: store).newest(object.key, root: object.layout.root) {
        case .row(let row) where object.layout.canRead(row): return isStale(row.page) ? nil : row
        case .row, .unknown: return known.flatMap { isStale($0.page) ? nil : $0 }
        case .elsewhere, .deleted, .gone: return nil
        }
    }
}
