@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel
import Synchronization

/// What lies at one URL.
final class Table: Sendable {
    struct Contents {
        var metadata: [String: Any]?
        var rows: [Int64: TableRow] = [:]
        var lastHandle: Int64 = 0
    }

    let contents = Mutex(Contents())
    /// Held for as long as a save takes.
    let writing = NSLock()

    private static let all = Mutex<[String: Table]>([:])

    static func at(_ url: URL) -> Table {
        all.withLock { tables in
            let table = tables[url.path] ?? Table()
            tables[url.path] = table
            return table
        }
    }
}

// Safe: metadata is property list values, which nobody changes.
/// Metadata on its way into a table.
struct UncheckedMetadata: @unchecked Sendable {
    let value: [String: Any]?
    init(_ value: [String: Any]?) { self.value = value }
}

struct TableRow: Sendable {
    let key: ObjectKey
    private(set) var version: Int64
    private(set) var values: ContiguousArray<FieldValue>
    /// To-many destinations by the index of the property, in order.
    private(set) var members: [Int: [ObjectKey]] = [:]

    init(inserting change: RowChange) {
        key = change.key
        version = change.version + 1
        values = change.values
        setMembers(change.toManys)
    }

    mutating func update(_ change: RowChange) {
        version += 1
        for slot in change.changedSlots { values[slot] = change.values[slot] }
        setMembers(change.toManys)
    }

    private mutating func setMembers(_ changes: [ToManyRowChange]) {
        for change in changes {
            let kept = (members[change.propertyIndex] ?? []).filter { !change.removed.contains($0) }
            members[change.propertyIndex] = change.order ?? (kept + change.added.filter { !kept.contains($0) })
        }
    }
}

/// A table as one request sees it.
final class TableView {
    let engine: TableEngine
    let model: ModelLayout
    let rows: [Int64: TableRow]

    init(_ engine: TableEngine, _ model: ModelLayout) {
        self.engine = engine
        self.model = model
        rows = engine.table.contents.withLock { $0.rows }
    }

    func record(of row: TableRow) -> TableRecord { TableRecord(row, in: self) }

    func destinations(of property: PropertyLayout, from owner: ObjectKey) -> [ObjectKey] {
        if property.kind == .toOne {
            guard case .reference(let key)? = rows[owner.handle]?.values[property.rowSlot] else { return [] }
            return [key]
        }
        if let inverse = property.inverse, inverse.kind == .toOne, !property.isOrdered {
            return rows.values.filter { row in
                guard model.entities[Int(row.key.entityIndex)].isKind(of: inverse.owner) else { return false }
                return row.values[inverse.rowSlot] == .reference(owner)
            }.map(\.key).sorted { $0.handle < $1.handle }
        }
        return rows[owner.handle]?.members[property.index]?.filter { rows[$0.handle] != nil } ?? []
    }
}

/// One row, as predicates and sort descriptors look at it.
final class TableRecord: RowRecord {
    let row: TableRow
    private let view: TableView

    init(_ row: TableRow, in view: TableView) {
        self.row = row
        self.view = view
    }

    var layout: EntityLayout { view.model.entities[Int(row.key.entityIndex)] }
    var identity: AnyHashable { view.engine.link.objectID(row.key, view.model) as! AnyHashable }

    func value(of property: PropertyLayout) -> Any? {
        let records = { [self] in
            view.destinations(of: property, from: row.key).compactMap { view.rows[$0.handle] }.map(view.record)
        }
        switch property.kind {
        case .toOne: return records().first
        case .toMany: return records()
        case .fetched: return nil
        default: return attribute(property) { row.values[$0.rowSlot] }
        }
    }
}
