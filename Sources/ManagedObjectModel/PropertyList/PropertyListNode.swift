import Foundation

/// A value of a property list, as the keyed archives of models use them.
///
/// Foundation's own reader is not used for archives: it gives no access to UIDs, and its recursion has no limit that
/// would keep it from overflowing the stack on a hostile file.
package enum PropertyListNode: Sendable, Equatable {
    case boolean(Bool)
    case integer(Int)
    /// A whole number that `Int` has no room for: 2^63 and above.
    case unsigned(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    /// The number of an object of a keyed archive.
    case uid(Int)
    case array([PropertyListNode])
    case dictionary([String: PropertyListNode])

    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var data: Data? { if case .data(let value) = self { value } else { nil } }
    package var array: [PropertyListNode]? { if case .array(let value) = self { value } else { nil } }
    package var dictionary: [String: PropertyListNode]? { if case .dictionary(let value) = self { value } else { nil } }

    /// Reads a binary or XML property list.
    package static func read(_ data: Data) throws -> PropertyListNode {
        if data.starts(with: Data("bplist".utf8)) { return try BinaryPropertyListReader.read(data) }
        return try XMLPropertyListReader.read(data)
    }
}

extension PropertyListNode {
    /// The value as Foundation's classes hold it.
    package var foundationValue: Any {
        switch self {
        case .boolean(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .real(let value): value
        case .date(let value): value
        case .data(let value): value
        case .string(let value): value
        case .uid(let value): value
        case .array(let items): items.map(\.foundationValue)
        case .dictionary(let items): items.mapValues(\.foundationValue)
        }
    }
}
