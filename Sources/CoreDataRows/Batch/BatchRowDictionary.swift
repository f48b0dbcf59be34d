import Foundation

/// The dictionary that a batch insert's handler fills in: its values go straight into a row.
///
/// Foundation's own boxes key and value of each entry, which would take longer than inserting the row.
final class BatchRowDictionary: NSMutableDictionary {
    private var columns: BatchColumns?
    private var row = RowChange(key: ObjectKey(handle: 0, entityIndex: 0))
    private var given: [String: Any] = [:]
    private var number = 0
    private(set) var emptied = SlotSet()
    /// What was wrong with the first entry that couldn't be taken.
    private(set) var failure: (any Error)?

    func begin(_ columns: BatchColumns) { self.columns = columns }

    /// Empties the dictionary for a row.
    func beginRow(_ number: Int) {
        self.number = number
        given.removeAll(keepingCapacity: true)
        emptied = SlotSet()
        columns?.reset(&row)
    }

    /// Hands over the row's values, and takes the place where they go for the next row.
    func exchange(_ other: inout RowChange) { swap(&row.values, &other.values) }

    override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
        guard let key = aKey.base as? String ?? (aKey.base as? NSString).map({ String(describing: $0) }), let columns
        else {
            if failure == nil { failure = columns?.failure("\(aKey)", number, "is no string") }
            return
        }
        given[key] = anObject
        do {
            try columns.set(anObject, forKey: key, in: &row, emptied: &emptied, number: number)
        } catch {
            if failure == nil { failure = error }
        }
    }

    override func removeObject(forKey aKey: Any) {
        guard let key = aKey as? String, given.removeValue(forKey: key) != nil else { return }
        let rest = given
        beginRow(number)
        for (key, value) in rest { setObject(value, forKey: key) }
    }

    override var count: Int { given.count }

    override func object(forKey aKey: Any) -> Any? { (aKey as? String).flatMap { given[$0] } }

    override func keyEnumerator() -> NSEnumerator { NSArray(array: Array(given.keys)).objectEnumerator() }
}
