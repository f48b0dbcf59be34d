import Foundation
import ManagedObjectModel

/// Where the rows of a batch insert come from.
package protocol BatchRowSource {
    /// Puts the next row's values into a row that holds the previous one's; false where there are no more rows.
    ///
    /// - Throws: an error that names the row, the property and what is wrong with its value.
    mutating func next(_ row: inout RowChange) throws -> Bool
    /// The row slots that the last row explicitly said are nil.
    var emptied: SlotSet { get }
}

/// Rows from dictionaries.
package struct BatchDictionaryRows: BatchRowSource {
    private let dictionaries: [[String: Any]]
    private let columns: BatchColumns
    private var index = 0
    package private(set) var emptied = SlotSet()

    package init(_ dictionaries: [[String: Any]], columns: BatchColumns) {
        self.dictionaries = dictionaries
        self.columns = columns
    }

    package mutating func next(_ row: inout RowChange) throws -> Bool {
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
package struct BatchHandlerRows: BatchRowSource {
    private let handler: (NSMutableDictionary) -> Bool
    private let dictionary: BatchRowDictionary
    private let columns: BatchColumns
    private var index = 0
    package var emptied: SlotSet { dictionary.emptied }

    package init(_ handler: @escaping (NSMutableDictionary) -> Bool, columns: BatchColumns) {
        self.handler = handler
        self.columns = columns
        dictionary = BatchRowDictionary()
        dictionary.begin(columns)
    }

    package mutating func next(_ row: inout RowChange) throws -> Bool {
        dictionary.beginRow(index)
        if handler(dictionary) { return false }
        if let failure = dictionary.failure { throw failure }
        dictionary.exchange(&row)
        index += 1
        return true
    }
}
