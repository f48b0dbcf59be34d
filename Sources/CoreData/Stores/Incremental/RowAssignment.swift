@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Gives the objects of an answer the rows that came along, by what the request wants of values.
struct RowAssignment {
    private let includesValues: Bool
    private let refreshes: Bool
    private let realizes: Bool

    init(_ request: AnyFetchRequest) {
        includesValues = request.includesPropertyValues
        refreshes = request.shouldRefreshRefetchedObjects
        realizes = !request.returnsObjectsAsFaults
    }

    /// - Returns: the objects whose rows the request wants and that are still to be read.
    @discardableResult
    func fill(_ objects: [NSManagedObject], with rows: NodeRows) -> [NSManagedObject] {
        var missing: [NSManagedObject] = []
        for object in objects where object.state == nil || !object.hasChanges {
            let row = rows.row(of: object.savedKey, root: object.layout.root)
                .flatMap { object.canBeRead(from: $0) ? $0 : nil }
            if object.isFault {
                if let row, includesValues || realizes { object.snapshot = row }
                if realizes, object.snapshotPage == nil { missing.append(object) }
            } else if refreshes {
                if let row {
                    object.adopt(row)
                } else {
                    missing.append(object)
                }
            }
        }
        return missing
    }
}
