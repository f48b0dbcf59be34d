import Foundation
import FoundationCompat
import ManagedObjectModel

/// Metadata as property lists, which is the form in which files hold them.
enum MetadataPropertyList {
    private static let maximumDepth = 64

    /// A value of metadata as a property list.
    ///
    /// - Throws: an error that names the type which property lists can't hold.
    static func node(of value: Any, depth: Int = 0) throws -> PropertyListNode {
        guard depth <= maximumDepth else { throw invalid("Metadata is nested more than \(maximumDepth) levels deep.") }
        switch value {
        case let text as String: return .string(text)
        case let number as NSNumber: return ValueArchiveWriter.node(of: number)
        case let date as Date:
            guard XMLPropertyListDate.holds(date) else {
                throw invalid("Metadata has a date that no XML property list can hold: \(PrintedValue.text(of: date)).")
            }
            return .date(date)
        case let data as Data: return .data(data)
        case let array as [Any]: return .array(try array.map { try node(of: $0, depth: depth + 1) })
        case let dictionary as [String: Any]:
            return .dictionary(try dictionary.mapValues { try node(of: $0, depth: depth + 1) })
        default: throw invalid("Metadata has a \(type(of: value)), which no property list can hold.")
        }
    }

    /// The value that a property list holds, numbers as `NSNumber`.
    static func value(of node: PropertyListNode) -> Any {
        switch node {
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        // The reader takes a dictionary with this one key for the number of an object in an archive.
        case .uid(let value): ["CF$UID": NSNumber(value: value)]
        case .real(let value): NSNumber(value: value)
        case .date(let value): value
        case .data(let value): value
        case .string(let value): value
        case .array(let members): members.map(value(of:))
        case .dictionary(let entries): entries.mapValues(value(of:))
        }
    }

    /// A dictionary with string keys, at every level, of what an archive held.
    static func normalized(_ value: Any) -> Any {
        switch value {
        case let dictionary as [AnyHashable: Any]:
            var result: [String: Any] = [:]
            for (key, value) in dictionary {
                if let key = key.base as? String { result[key] = normalized(value) }
            }
            return result
        case let array as [Any]: return array.map(normalized)
        default: return value
        }
    }

    /// - Throws: an error where a key at some level is no text, so that it wouldn't be read back.
    static func requireTextKeys(_ value: Any) throws {
        switch value {
        case let dictionary as [AnyHashable: Any]:
            for (key, value) in dictionary {
                guard key.base is String else {
                    throw invalid("Metadata has a key that is no text: \(PrintedValue.text(of: key.base)).")
                }
                try requireTextKeys(value)
            }
        case let array as [Any]: for element in array { try requireTextKeys(element) }
        default: break
        }
    }

    private static func invalid(_ text: String) -> any Error {
        CoreDataError.make(NSPersistentStoreSaveError, text)
    }
}
