import Foundation

/// Writes the value classes of Foundation into keyed archives; the counterpart of `ValueArchiveReader`.
package enum ValueArchiveWriter {
    private static let maximumDepth = 64

    /// Adds the value. Throws for a value of a class that model files cannot hold.
    package static func add(_ value: Any?, to builder: KeyedArchiveBuilder, depth: Int = 0) throws -> PropertyListNode {
        guard let value else { return KeyedArchiveBuilder.null }
        guard depth <= maximumDepth else { throw ModelFileError(.tooLarge, "a value is nested too deep") }
        switch value {
        case let text as String: return builder.add(text)
        case let decimal as NSDecimalNumber: return add(decimal, to: builder)
        case let number as NSNumber: return builder.add(node(of: number))
        case let decimal as Decimal: return add(NSDecimalNumber(decimal: decimal), to: builder)
        case let date as Date:
            return builder.add(className: "NSDate", fields: ["NS.time": .real(date.timeIntervalSinceReferenceDate)])
        case let data as Data: return builder.add(.data(data))
        case let uuid as UUID:
            let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
            return builder.add(className: "NSUUID", fields: ["NS.uuidbytes": .data(bytes)])
        case let url as URL:
            return builder.add(
                className: "NSURL",
                fields: ["NS.base": KeyedArchiveBuilder.null, "NS.relative": builder.add(url.absoluteString)])
        case is NSNull: return builder.add(className: "NSNull", fields: [:])
        case let set as Set<AnyHashable>:
            return builder.addArray(
                try set.sorted { "\($0)" < "\($1)" }.map { try add($0.base, to: builder, depth: depth + 1) },
                className: "NSSet")
        case let array as [Any]:
            return builder.addArray(try array.map { try add($0, to: builder, depth: depth + 1) })
        case let dictionary as [AnyHashable: Any]:
            return builder.addDictionary(
                try dictionary.sorted { "\($0.key)" < "\($1.key)" }.map {
                    (
                        try add($0.key.base, to: builder, depth: depth + 1),
                        try add($0.value, to: builder, depth: depth + 1)
                    )
                })
        default:
            throw ModelFileError(.unsupported, "a value of the type \(type(of: value)) cannot be kept in a model file")
        }
    }

    private static func add(_ decimal: NSDecimalNumber, to builder: KeyedArchiveBuilder) -> PropertyListNode {
        builder.add(className: "NSDecimalNumberPlaceholder", fields: ArchivedDecimal.fields(of: decimal))
    }

    package static func node(of number: NSNumber) -> PropertyListNode {
        switch UnicodeScalar(UInt8(bitPattern: number.objCType.pointee)) {
        // A small number may have the type of Booleans.
        case "c", "B": return 0...1 ~= number.intValue ? .boolean(number.boolValue) : .integer(number.intValue)
        case "d", "f": return .real(number.doubleValue)
        case "Q" where number.uint64Value > UInt64(Int64.max): return .unsigned(number.uint64Value)
        default: return .integer(number.intValue)
        }
    }
}
