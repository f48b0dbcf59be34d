extension PropertyLayout {
    /// The property itself if a row holds it, or the elements of a composite attribute.
    package var storedLeaves: [PropertyLayout] {
        elements.isEmpty ? (rowSlot >= 0 ? [self] : []) : elements.flatMap(\.storedLeaves)
    }

    /// A composite attribute's value: those of its elements by their names; nil where none has one.
    package func composed(_ value: (PropertyLayout) -> Any?) -> [String: Any]? {
        var values: [String: Any] = [:]
        for element in elements {
            values[element.name] = element.kind == .composite ? element.composed(value) : value(element)
        }
        return values.isEmpty ? nil : values
    }

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
