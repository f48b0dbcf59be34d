@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import ManagedObjectModel

/// Rows from a handler that fills in an object.
struct BatchObjectRows: BatchRowSource {
    private let handler: (NSManagedObject) -> Bool
    private let object: NSManagedObject
    private let columns: BatchColumns
    private var index = 0
    let emptied = SlotSet()

    init(_ handler: @escaping (NSManagedObject) -> Bool, columns: BatchColumns) {
        self.handler = handler
        self.columns = columns
        let layout = columns.layout
        object = layout.makeObject()
        object.becomeNew()
        // No change is to be recorded: the object belongs to no context.
        object.flags = .inTransition
    }

    mutating func next(_ row: inout RowChange) throws -> Bool {
        guard let state = object.state else { return false }
        columns.reset(&state.current)
        state.changed = SlotSet()
        if !state.decoded.isEmpty { state.decoded = [:] }
        if !state.transients.isEmpty { state.transients = [:] }
        if handler(object) { return false }
        try checkRelationships(of: state)
        swap(&state.current, &row.values)
        index += 1
        return true
    }

    private func checkRelationships(of state: ObjectState) throws {
        guard !state.toOnes.isEmpty || !state.toManys.isEmpty else { return }
        for property in columns.layout.relationships {
            let isSet =
                state.toOnes[property.index].map { $0 != nil } ?? (state.toManys[property.index]?.hasChanges ?? false)
            guard isSet else { continue }
            // Takes the object out of the other side again.
            object.setValue(nil, of: property)
            throw columns.failure(
                property.name, index,
                "is a relationship, which an object of a batch insert can't have; give a dictionary with the object ID")
        }
        state.toOnes = [:]
        state.toManys = [:]
    }
}
