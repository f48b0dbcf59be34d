@_spi(Engine) import CoreDataRows

/// How one column of a result goes into one slot of a row.
package struct RowDecodeStep: Sendable {
    /// What is read from the column; fewer cases than ``PropertyKind`` has, so that the loop's switch is small.
    package enum Form: UInt8, Sendable {
        case integer
        case real
        case text
        case bytes
        /// Bytes behind a tag that says whether they are here or in a file.
        case externalBytes
        case uuid
        case decimal
        /// The key of a to-one.
        case reference
    }

    package let form: Form
    /// The column's place in the result.
    package let column: Int32
    package let slot: Int32
    /// For a to-one: the column with the destination's `Z_ENT`, or -1 where only one entity is possible.
    package let entityColumn: Int32
    /// For a to-one: the destination's place in ``ModelLayout/entities``, and that of its last descendant.
    package let destination: ClosedRange<Int32>?

    /// Nil where no column holds the property.
    package init?(_ property: PropertyLayout, column: Int32, entityColumn: Int32?) {
        guard let form = Form(property) else { return nil }
        self.form = form
        self.column = column
        slot = Int32(property.rowSlot)
        self.entityColumn = entityColumn ?? -1
        destination = property.destination.map { Int32($0.index)...Int32($0.lastDescendantIndex) }
    }
}

extension RowDecodeStep.Form {
    package init?(_ property: PropertyLayout) {
        switch property.kind {
        case .int16, .int32, .int64, .bool: self = .integer
        case .double, .float, .date: self = .real
        case .string, .uri: self = .text
        case .data, .transformable:
            self = property.attribute?.allowsExternalBinaryDataStorage == true ? .externalBytes : .bytes
        case .uuid: self = .uuid
        case .decimal: self = .decimal
        case .toOne: self = .reference
        // Apple's framework can't store object IDs in a file; no fixture has such a column.
        case .objectID, .composite, .undefined, .toMany, .fetched: return nil
        }
    }
}
