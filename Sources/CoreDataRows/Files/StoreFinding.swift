/// Something in a store that isn't as it should be.
package struct StoreFinding: Sendable, CustomStringConvertible {
    /// What is wrong.
    package enum Kind: String, Sendable {
        case integrity
        case keyCounter
        case danglingReference
        case oneSidedReference
        case wrongEntity
        case missingFile
        case orphanFile
        case versionHash
        /// The tables aren't those of the model.
        case schema
        /// Values that the model makes unique occur more than once.
        case duplicate
        case missingIndex
    }

    package let kind: Kind
    /// The entity and property, table, index or file that it is about.
    package let subject: String
    package let message: String
    /// Whether it can be mended without losing a value.
    package let isRepairable: Bool

    package init(_ kind: Kind, _ subject: String, _ message: String, isRepairable: Bool) {
        self.kind = kind
        self.subject = subject
        self.message = message
        self.isRepairable = isRepairable
    }

    package var description: String { "\(subject): \(message)" }
}
