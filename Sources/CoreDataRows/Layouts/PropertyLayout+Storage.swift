extension PropertyLayout {
    /// Whether the value lies in the row as an integer.
    @inlinable @inline(__always)
    @_spi(Engine) public var holdsIntegers: Bool {
        switch kind {
        case .int16, .int32, .int64, .bool: rowSlot >= 0
        default: false
        }
    }

    /// Whether the value lies in the row as a floating-point number.
    @inlinable @inline(__always)
    @_spi(Engine) public var holdsDoubles: Bool {
        switch kind {
        case .double, .float, .date: rowSlot >= 0
        default: false
        }
    }
}
