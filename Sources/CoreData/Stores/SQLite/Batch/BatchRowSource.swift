import Foundation
import ManagedObjectModel

/// Where the rows of a batch insert come from.
protocol BatchRowSource {
    /// Puts the next row's values into a row that holds the previous one's; false where there are no more rows.
    ///
    /// - Throws: an error that names the row, the property and what is wrong with its value.
    mutating func next(_ row: inout RowChange) throws -> Bool
    /// The row slots that the last row explicitly said are nil.
    var emptied: SlotSet { get }
}

/// Rows from dictionaries.
struct BatchDictionaryRows: BatchRowSource {
    private let dictionaries: [[String: Any]]
    private let columns: BatchColumns
    private var index = 0
    private(set) var emptied = SlotSet()

    init(_ dictionaries: [[String: Any]], columns: BatchColumns) {
        self.dictionaries = dictionaries
        self.columns = columns
    }

    mutating func next(_ row: inout RowChange) throws -> Bool {
        guard index < dictionaries.count else { return false }
        columns.reset(&row)
        emptied = SlotSet()
        for (key, value) in dictionaries[index] {
            try columns.set(value, forKey: key, in: &row, emptied: &emptied, number: index)
        }
        index += 1
        return true
    }
}

/// Rows from a handler that fills in a dictionary.
struct BatchHandlerRows: BatchRowSource {
    private let handler: (NSMutableDictionary) -> Bool
    private let dictionary: BatchRowDictionary
    private let columns: BatchColumns
    private var index = 0
    var emptied: SlotSet { dictionary.emptied }

    init(_ handler: @escaping (NSMutableDictionary) -> Bool, columns: BatchColumns) {
        self.handler = handler
        self.columns = columns
        dictionary = BatchRowDictionary()
        dictionary.begin(columns)
    }

    mutating func next(_ row: inout RowChange) throws -> Bool {
        dictionary.beginRow(index)
        if handler(dictionary) { return false }
        if let failure = dictionary.failure { throw failure }
        dictionary.exchange(&row)
        index += 1
        return true
    }
}

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
        // No change is to be noted anywhere: the object belongs to nobody.
        object.flags = .inTransition
    }

    mutating func next(_ row: inout RowChange) throws -> Bool {
        guard let state = object.state else { return false }
        columns.reset(&state.current)
        state.changed = SlotSet()
        if !state.decoded.isEmpty { state.decoded = [:] }
        if !state.transients.isEmpty { columns.resetTransients(of: state) }
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
