@_spi(Engine) import CoreDataRows
import Foundation
import GRDBSQLite

/// Decodes the rows of a running statement into pages.
///
/// The statement's first columns are `Z_PK`, `Z_ENT` and `Z_OPT`, the others those of a ``RowSelection``. Values are
/// coerced as SQLite does it where a column holds another storage class than its property has; what can't be coerced is
/// an error that names table, column and row.
struct RowReader {
    private let statement: OpaquePointer
    private let selection: RowSelection
    private let schema: SQLiteSchema
    private let externalData: SQLiteExternalData
    private let columns: ColumnCoercion
    private var pages: [RowPage] = []
    private var page: RowPage
    private var concreteEntity: ConcreteEntityReader
    /// The entity of the last row, and how its rows are decoded.
    private var entityIndex: Int32 = -1
    private var steps: [RowDecodeStep] = []

    init(
        _ statement: OpaquePointer, _ selection: RowSelection, schema: SQLiteSchema, externalData: SQLiteExternalData,
        expectedRows: Int = RowPage.defaultCapacity
    ) {
        self.statement = statement
        self.selection = selection
        self.schema = schema
        self.externalData = externalData
        columns = ColumnCoercion(statement: statement, table: selection.entity.table, keyColumn: 0)
        concreteEntity = ConcreteEntityReader(selection.entity.layout, table: selection.entity.table, schema: schema)
        page = RowPage(
            model: schema.model, slotCount: selection.slotCount, capacity: min(expectedRows, RowPage.defaultCapacity))
    }

    /// Takes the row that the statement stands on.
    mutating func appendRow() throws {
        if page.isFull { closePage() }
        let key = sqlite3_column_int64(statement, 0)
        let index = try concreteEntity.index(number: sqlite3_column_int64(statement, 1), key: key)
        if index != entityIndex {
            entityIndex = index
            steps = selection.steps(forEntityIndex: index)
        }
        page.appendRow(
            handle: key, entityIndex: Int(index),
            version: sqlite3_column_int64(statement, 2))
        let row = page.lastRow
        try steps.withUnsafeBufferPointer { steps in
            for step in steps { try decode(step, into: row) }
        }
    }

    /// All pages, when the statement has ended.
    mutating func finish() -> [RowPage] {
        if page.count > 0 {
            page.shrink()
            pages.append(page)
        }
        return pages
    }

    private mutating func closePage() {
        pages.append(page)
        page = RowPage(model: schema.model, slotCount: selection.slotCount)
    }

    @inline(__always)
    private func decode(_ step: RowDecodeStep, into row: RowPage.LastRow) throws {
        let column = step.column
        let slot = Int(step.slot)
        switch step.form {
        case .integer:
            // A zero may be a null; everything else is certainly none, and asking costs a call.
            let value = sqlite3_column_int64(statement, column)
            if value != 0 || !isNull(column) { row.set(slot, UInt64(bitPattern: value)) }
        case .real:
            let value = sqlite3_column_double(statement, column)
            if value != 0 || !isNull(column) { row.set(slot, value.bitPattern) }
        case .text:
            if let text = sqlite3_column_text(statement, column) {
                let count = Int(sqlite3_column_bytes(statement, column))
                page.setBytes(slot, UnsafeRawBufferPointer(start: text, count: count))
            }
        case .bytes:
            if !isNull(column) { page.setBytes(slot, columns.bytes(column)) }
        case .reference:
            try decodeReference(step)
        case .externalBytes:
            if !isNull(column) { try decodeExternal(step) }
        case .uuid:
            if !isNull(column) { page.setUUID(slot, try columns.uuid(column)) }
        case .decimal:
            if !isNull(column) { page.setDecimal(slot, try columns.decimal(column)) }
        }
    }

    @inline(__always)
    private func isNull(_ column: Int32) -> Bool { columns.isNull(column) }

    /// Keys begin with 1. A key or entity number of 0 means the same as null (seen in ArtsyPartner_2.0).
    private func decodeReference(_ step: RowDecodeStep) throws {
        let handle = sqlite3_column_int64(statement, step.column)
        guard handle != 0, let destination = step.destination else { return }
        guard handle != StoreRowBuilder.unread else { throw columns.invalid(step.column, "\(handle), which is no key") }
        let number = step.entityColumn >= 0 ? sqlite3_column_int64(statement, step.entityColumn) : 0
        guard number != 0 else {
            page.setReference(Int(step.slot), handle: handle, entityIndex: Int(destination.lowerBound))
            return
        }
        guard let index = schema.entityIndex(forNumber: number), destination.contains(index) else {
            throw columns.invalid(
                step.entityColumn, "\(number), which isn't the number of a possible destination's entity")
        }
        page.setReference(Int(step.slot), handle: handle, entityIndex: Int(index))
    }

    private func decodeExternal(_ step: RowDecodeStep) throws {
        switch try externalData.read(columns.bytes(step.column), invalid: { columns.invalid(step.column, $0) }) {
        case .inline(let bytes): page.setBytes(Int(step.slot), bytes)
        case .file(let data?): data.withUnsafeBytes { page.setBytes(Int(step.slot), $0) }
        case .file(nil): break
        }
    }
}
