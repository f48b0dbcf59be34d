@_spi(Engine) import CoreDataRows
import Foundation

/// Decodes the rows of a result into pages. The result's first columns are those of a selection.
struct PostgreSQLRowReader {
    private let result: PostgreSQLResult
    private let selection: PostgreSQLSelection
    private let schema: PostgreSQLSchema
    private var pages: [RowPage] = []
    private var page: RowPage
    /// The entity of the last row, and how its rows are decoded.
    private var number: Int16 = -1
    private var entityIndex: Int32 = -1
    private var steps: [PostgreSQLSelection.Step] = []

    /// - Throws: an error that names a column whose type in the database isn't the model's.
    init(_ result: PostgreSQLResult, _ selection: PostgreSQLSelection, schema: PostgreSQLSchema) throws {
        self.result = result
        self.selection = selection
        self.schema = schema
        for (index, column) in selection.columns.enumerated() where result.type(Int32(index)) != column.type {
            throw Self.invalid(
                selection.entity.table, column.name, "isn't of the type \(column.type.name.text) any more")
        }
        page = RowPage(
            model: schema.model, slotCount: selection.slotCount,
            capacity: max(1, min(Int(result.count), RowPage.defaultCapacity)))
    }

    /// All rows, in order.
    static func pages(_ result: PostgreSQLResult, _ selection: PostgreSQLSelection, _ schema: PostgreSQLSchema) throws
        -> [RowPage]
    {
        var reader = try PostgreSQLRowReader(result, selection, schema: schema)
        for row in 0..<result.count { try reader.append(row) }
        return reader.finish()
    }

    mutating func append(_ row: Int32) throws {
        if page.isFull {
            pages.append(page)
            page = RowPage(model: schema.model, slotCount: selection.slotCount)
        }
        let found = result.int2(row, 1)
        if found != number { try takeEntity(found, row) }
        page.appendRow(handle: result.int8(row, 0), entityIndex: Int(entityIndex), version: result.int8(row, 2))
        let slots = page.lastRow
        try steps.withUnsafeBufferPointer { steps in
            for step in steps where !result.isNull(row, step.column) { try decode(step, row, into: slots) }
        }
    }

    mutating func finish() -> [RowPage] {
        if page.count > 0 {
            page.shrink()
            pages.append(page)
        }
        return pages
    }

    private mutating func takeEntity(_ found: Int16, _ row: Int32) throws {
        let layout = selection.entity.layout
        guard let index = schema.entityIndex(forNumber: found), Int(index) >= layout.index,
            Int(index) <= layout.lastDescendantIndex
        else {
            throw Self.invalid(
                selection.entity.table, PostgreSQLName.entity,
                "is \(found) in the row \(result.int8(row, 0)), which is no entity's number below \(layout.name)")
        }
        number = found
        entityIndex = index
        steps = selection.steps(forEntityIndex: index)
    }

    @inline(__always)
    private func decode(_ step: PostgreSQLSelection.Step, _ row: Int32, into slots: RowPage.LastRow) throws {
        let column = step.column
        switch step.form {
        case .boolean: slots.set(step.slot, result.bool(row, column) ? 1 : 0)
        case .int2: slots.set(step.slot, UInt64(bitPattern: Int64(result.int2(row, column))))
        case .int4: slots.set(step.slot, UInt64(bitPattern: Int64(result.int4(row, column))))
        case .int8: slots.set(step.slot, UInt64(bitPattern: result.int8(row, column)))
        case .float4: slots.set(step.slot, Double(result.float(row, column)).bitPattern)
        case .float8: slots.set(step.slot, result.double(row, column).bitPattern)
        case .bytes, .uuid: page.setBytes(step.slot, result.bytes(row, column))
        case .numeric:
            guard let decimal = result.decimal(row, column) else { throw invalid(step, row, "no decimal number") }
            page.setDecimal(step.slot, decimal)
        case .reference: try decodeReference(step, row)
        }
    }

    private func decodeReference(_ step: PostgreSQLSelection.Step, _ row: Int32) throws {
        guard let destination = step.destination else { return }
        let handle = result.int8(row, step.column)
        guard handle != StoreRowBuilder.unread else { throw invalid(step, row, "\(handle), which is no key") }
        var index = destination.lowerBound
        if step.entityColumn >= 0, !result.isNull(row, step.entityColumn) {
            guard let found = schema.entityIndex(forNumber: result.int2(row, step.entityColumn)),
                destination.contains(found)
            else { throw invalid(step, row, "a key of an entity that isn't the destination's") }
            index = found
        }
        page.setReference(step.slot, handle: handle, entityIndex: Int(index))
    }

    private func invalid(_ step: PostgreSQLSelection.Step, _ row: Int32, _ found: String) -> NSError {
        Self.invalid(
            selection.entity.table, selection.columns[Int(step.column)].name,
            "has in the row \(result.int8(row, 0)) \(found)")
    }

    private static func invalid(_ table: String, _ column: String, _ what: String) -> NSError {
        CoreDataError.make(NSPersistentStoreOperationError, "The column \(column) of the table \(table) \(what).")
    }
}
