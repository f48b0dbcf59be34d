/// Why a row can't be saved as it is.
package enum RowConflict: Sendable, Hashable {
    /// Another writer changed the row, which has this version now.
    case changed(ObjectKey, version: Int64)
    /// Another writer deleted the row.
    case deleted(ObjectKey)
    /// A row already has the values that a uniqueness constraint protects.
    ///
    /// - Parameters:
    ///   - properties: the constraint, in the order of the model.
    ///   - existing: the row that has them, which may belong to the same save.
    case notUnique(ObjectKey, properties: [String], existing: ObjectKey)

    package var isOfUniqueValues: Bool {
        if case .notUnique = self { true } else { false }
    }

    package var key: ObjectKey {
        switch self {
        case .changed(let key, _), .deleted(let key), .notUnique(let key, _, _): key
        }
    }
}

/// Every conflict of a save that therefore changed nothing.
package struct RowConflicts: Error, Sendable {
    package var conflicts: [RowConflict]

    package init(conflicts: [RowConflict]) { self.conflicts = conflicts }
}
