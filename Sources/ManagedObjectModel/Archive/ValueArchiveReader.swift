import Foundation

/// Decodes the value classes of Foundation from keyed archives: strings, numbers, dates, collections and so on.
package enum ValueArchiveReader {
    /// No value of a model is nested deeper.
    private static let maximumDepth = 64

    /// The value, with numbers as `NSNumber`; nil for "no object" and for objects of other classes.
    package static func value(_ node: PropertyListNode, in archive: KeyedArchive, depth: Int = 0) throws -> Any? {
        archive.remainingValues -= 1
        guard depth <= maximumDepth, archive.remainingValues >= 0 else {
            throw ModelFileError(.tooLarge, "a value is nested too deep, or contains itself")
        }
        switch try archive.target(of: node) {
        case nil: return nil
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .unsigned(let value): return NSNumber(value: value)
        case .real(let value): return NSNumber(value: value)
        case .date(let value): return value
        case .data(let value): return value
        case .string(let value): return value
        case .uid: return nil
        case .array(let members): return try members.compactMap { try value($0, in: archive, depth: depth + 1) }
        case .dictionary(let fields):
            guard fields["$class"] != nil, let object = try archive.object(at: node, in: "a value") else { return nil }
            return try decode(object, depth: depth)
        }
    }

    private static func decode(_ object: ArchivedObject, depth: Int) throws -> Any? {
        let archive = object.archive
        switch object.className {
        case "NSString", "NSMutableString":
            if object.has("NS.string") { return try object.string("NS.string") }
            return try object.data("NS.bytes").map { String(decoding: $0, as: UTF8.self) }
        case "NSDate": return Date(timeIntervalSinceReferenceDate: try object.real("NS.time"))
        case "NSData", "NSMutableData": return try object.data("NS.data") ?? object.data("NS.bytes")
        case "NSUUID": return try uuid(object)
        case "NSURL": return try object.string("NS.relative").flatMap(URL.init(string:))
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return try ArchivedDecimal.number(object)
        case "NSNull": return NSNull()
        case "NSArray", "NSMutableArray":
            return try (object.members("NS.objects") ?? []).compactMap { try value($0, in: archive, depth: depth + 1) }
        case "NSSet", "NSMutableSet":
            let members = try (object.members("NS.objects") ?? [])
            return Set(try members.compactMap { try value($0, in: archive, depth: depth + 1) as? AnyHashable })
        case "NSDictionary", "NSMutableDictionary": return try dictionary(object, depth: depth)
        default: return nil
        }
    }

    private static func dictionary(_ object: ArchivedObject, depth: Int) throws -> [AnyHashable: Any] {
        let keys = try object.members("NS.keys") ?? []
        let values = try object.members("NS.objects") ?? []
        guard keys.count == values.count else { throw object.mismatch("NS.objects", "as many values as keys") }
        var result: [AnyHashable: Any] = [:]
        for (key, member) in zip(keys, values) {
            guard let key = try value(key, in: object.archive, depth: depth + 1) as? AnyHashable else { continue }
            result[key] = try value(member, in: object.archive, depth: depth + 1)
        }
        return result
    }

    private static func uuid(_ object: ArchivedObject) throws -> UUID {
        guard let bytes = try object.data("NS.uuidbytes").map(Array.init), bytes.count == 16 else {
            throw object.mismatch("NS.uuidbytes", "16 bytes")
        }
        return NSUUID(uuidBytes: bytes) as UUID
    }
}
