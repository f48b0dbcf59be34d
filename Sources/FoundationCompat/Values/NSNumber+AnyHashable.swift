import Foundation

/// In an `AnyHashable`, a number is the value that it is of, as on Apple's platforms: what key-value coding gives then finds
/// what a program keeps by its Swift values.
// Only an extension of NSNumber can declare it; Foundation on Linux doesn't.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSNumber: @retroactive _HasCustomAnyHashableRepresentation {
    /// The number as a Swift value; nil for what has none.
    public func _toCustomAnyHashable() -> AnyHashable? {
        if let decimal = self as? NSDecimalNumber { return AnyHashable(decimal.decimalValue) }
        // Foundation on Linux has no other mark of a truth value.
        if objCType.pointee == CChar(UInt8(ascii: "c")), (0...1).contains(int8Value) { return AnyHashable(boolValue) }
        switch NumericValue(self) {
        case .integer(let value): return Int(exactly: value).map { AnyHashable($0) } ?? AnyHashable(value)
        case .unsigned(let value): return AnyHashable(value)
        case .real(let value): return AnyHashable(value)
        case .decimal(let value): return AnyHashable(value)
        }
    }
}

/// The same of a string.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
    /// The text.
    public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
